#include "commands/scan/requests.h"

#include "base/json.h"
#include "base/min.h"
#include "base/text.h"
#include "commands/scan/continue_token.h"
#include "system/clock.h"

#include <stdlib.h>
#include <time.h>

/* How often a request is repeated that the API server is too busy for. The waits double. */
#define TRIES_MAX 5
#define FIRST_WAIT_US ((uint64_t)500000)

#define SECOND_US ((uint64_t)1000000)

void scan_requests_start(struct scan_requests *requests, unsigned rate)
{
    *requests = (struct scan_requests){.mutex = PTHREAD_MUTEX_INITIALIZER, .pause = SECOND_US / rate};
}

static void sleep_us(uint64_t microseconds)
{
    const struct timespec time = {
        .tv_sec = (time_t)(microseconds / SECOND_US), .tv_nsec = (long)(microseconds % SECOND_US) * 1000};
    nanosleep(&time, NULL);
}

/* Waits until it is time for one more request of all workers. */
static void wait_for_request(struct scan_requests *requests)
{
    pthread_mutex_lock(&requests->mutex);
    uint64_t now = monotonic_milliseconds() * 1000;
    uint64_t start = requests->next > now ? requests->next : now;
    requests->next = start + requests->pause;
    pthread_mutex_unlock(&requests->mutex);
    if (start > now)
        sleep_us(start - now);
}

struct scan_list scan_list_start(const struct discovered_kind *kind, struct slice namespace)
{
    bool may_be_large = !kind->group.length &&
        (slice_equal(kind->plural, SLICE("secrets")) || slice_equal(kind->plural, SLICE("configmaps")));
    return (struct scan_list){
        .kind = kind, .namespace = namespace, .page_size = may_be_large ? SCAN_PAGE_OF_LARGE : SCAN_PAGE};
}

void scan_list_fit(struct scan_list *list, const struct scan_page *page, size_t objects)
{
    size_t bytes = objects ? page->content.length / objects : 0;
    size_t fitting = bytes ? SCAN_PAGE_BYTES / bytes : SCAN_PAGE;
    list->page_size = (size_t)min_u64(fitting ? fitting : 1, SCAN_PAGE);
}

static const char *path_of(const struct scan_list *list, struct slice token, struct arena *arena)
{
    struct text path = text_start(arena, 512);
    text_append_all(&path, list->kind->group.length ? "/apis/" : "/api/", list->kind->api_version);
    if (list->namespace.length)
        text_append_all(&path, "/namespaces/", list->namespace);
    text_append_all(&path, "/", list->kind->plural, "?limit=", list->page_size);
    if (token.length)
        text_append_all(&path, "&continue=", token);
    text_append(&path, SLICE("\0"));
    return text_slice(&path).bytes;
}

static void request_once(
    struct scan_requests *requests, struct cluster *cluster, const char *path, struct scan_page *page)
{
    page->error = (struct error){0};
    if (!path) {
        page->found = CLUSTER_FAILED;
        page->refusal = CLUSTER_REFUSAL_OTHER;
        error_set_out_of_memory(&page->error);
        return;
    }
    wait_for_request(requests);
    page->found = cluster_get_raw(cluster, path, &page->content, &page->error);
    page->refusal = cluster->refusal;
}

void scan_request(
    struct scan_requests *requests, struct cluster *cluster, const struct scan_list *list, struct slice token,
    struct arena *arena, struct scan_page *page)
{
    struct slice current = token;
    for (unsigned try = 0; try < TRIES_MAX; try++) {
        request_once(requests, cluster, path_of(list, current, arena), page);
        if (page->found != CLUSTER_FAILED)
            return;
        struct slice renewed = {NULL, 0};
        if (page->refusal == CLUSTER_EXPIRED && current.length)
            renewed = continue_token_renewed(current, arena);
        if (renewed.bytes)
            current = renewed;
        else if (page->refusal == CLUSTER_BUSY && try + 1 < TRIES_MAX)
            sleep_us(FIRST_WAIT_US << try);
        else
            return;
    }
}

void scan_page_free(struct scan_page *page)
{
    free(page->content.bytes);
    page->content = (struct file_content){0};
}

yyjson_val *scan_page_read(struct scan_page *page, struct arena *arena)
{
    char *padded = realloc(page->content.bytes, page->content.length + YYJSON_PADDING_SIZE);
    if (padded)
        page->content.bytes = padded;
    yyjson_doc *document = padded
        ? json_read((struct slice){padded, page->content.length}, YYJSON_READ_INSITU, arena, NULL)
        : NULL;
    return document ? yyjson_doc_get_root(document) : NULL;
}

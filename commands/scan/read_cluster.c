#include "commands/scan/read_cluster.h"

#include "base/array_size.h"
#include "base/json.h"
#include "commands/scan/continue_token.h"
#include "kubectl/discovery.h"
#include "manifest/kinds.h"
#include "system/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* How often a request is repeated that the API server is too busy for. The waits double. */
#define TRIES_MAX 5

struct reading {
    struct scan_session *session;
    const struct scan_cluster *options;
    struct discovery discovery;
    struct arena *arena;           /* of the discovery */
    struct arena *page;            /* of the page that is judged */
    struct discovered_kind *kinds; /* that are listed */
    size_t count;
    bool has_failed;

    pthread_mutex_t mutex; /* for: */
    pthread_cond_t turned;
    size_t next;           /* the kind that no worker has yet */
    size_t turn;           /* the kind whose objects are judged */
    uint64_t next_request; /* the earliest time, in milliseconds */
    uint64_t objects;
};

/* One page of a list. */
struct page {
    struct file_content content; /* of the answer; NULL bytes: no answer */
    enum cluster_found found;
    enum cluster_refusal refusal;
    struct error error;
};

struct worker {
    struct reading *reading;
    struct cluster *cluster;
    struct arena *arena; /* of its requests */
    pthread_t thread;
};

static void complain(void *context, const char *path, const struct error *error)
{
    struct reading *reading = context;
    reading->has_failed = true;
    scan_note_partial(reading->session->scan);
    reading->session->complain(reading->session->context, path, error);
}

/*
 * The kinds
 */

/* Events and leases come and go; the others are computed, or stored as another kind. */
static bool is_left_out(const struct discovered_kind *kind)
{
    static const char *const names[] = {
        "events", "leases", "componentstatuses", "endpoints", "endpointslices"};
    return slice_is_one_of(kind->plural, names, ARRAY_SIZE(names)) ||
        slice_equal(kind->group, SLICE("metrics.k8s.io"));
}

/* Whether one of the names, which may be several with commas, is the kind's. */
static bool is_wanted(const struct discovered_kind *kind, const struct names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        for (struct slice rest = slice_of(names->items[i]); rest.length;) {
            struct slice name = slice_until(rest, slice_find(rest, ','));
            rest = slice_from(rest, name.length + 1);
            if (discovery_is_named(kind, slice_trim(name)))
                return true;
        }
    }
    return false;
}

static bool is_listed(const struct scan_cluster *options, const struct discovered_kind *kind)
{
    if (options->namespace && !kind->is_namespaced)
        return false;
    return options->kinds.count ? is_wanted(kind, &options->kinds) : !is_left_out(kind);
}

/* A name that belongs to no kind is mistyped. */
static void complain_about_names(struct reading *reading)
{
    const struct names *names = &reading->options->kinds;
    for (size_t i = 0; i < names->count; i++) {
        bool is_known = false;
        const struct names one = {names->items + i, 1};
        for (size_t j = 0; j < reading->discovery.count && !is_known; j++)
            is_known = is_wanted(&reading->discovery.kinds[j], &one);
        struct error error = {0};
        if (!is_known) {
            error_set(&error, "the cluster has no such kind that can be listed");
            complain(reading, names->items[i], &error);
        }
    }
}

static int find_kinds(struct reading *reading, struct cluster *cluster, struct error *error)
{
    struct discovery *discovery = &reading->discovery;
    *discovery = (struct discovery){.arena = reading->arena, .complain = complain, .context = reading};
    if (discovery_read(discovery, cluster, error) < 0)
        return -1;
    for (size_t i = 0; i < discovery->version_count; i++)
        if (!scan_note_served(reading->session->scan, discovery->versions[i]))
            return error_set_out_of_memory(error);
    reading->kinds = arena_allocate_array(reading->arena, discovery->count, sizeof(*reading->kinds));
    if (discovery->count && !reading->kinds)
        return error_set_out_of_memory(error);
    for (size_t i = 0; i < discovery->count; i++)
        if (is_listed(reading->options, &discovery->kinds[i]))
            reading->kinds[reading->count++] = discovery->kinds[i];
    complain_about_names(reading);
    return 0;
}

/*
 * Requests
 */

static void sleep_ms(uint64_t milliseconds)
{
    const struct timespec time = {
        .tv_sec = (time_t)(milliseconds / 1000), .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
}

/* Waits until it is time for one more request of all workers. */
static void wait_for_request(struct reading *reading)
{
    pthread_mutex_lock(&reading->mutex);
    uint64_t now = monotonic_milliseconds();
    uint64_t start = reading->next_request > now ? reading->next_request : now;
    reading->next_request = start + SCAN_PAUSE_MS;
    pthread_mutex_unlock(&reading->mutex);
    if (start > now)
        sleep_ms(start - now);
}

static const char *path_of(
    const struct reading *reading, const struct discovered_kind *kind, struct slice token,
    struct arena *arena)
{
    struct text path = text_start(arena, 512);
    text_append_string(&path, kind->group.length ? "/apis/" : "/api/");
    text_append(&path, kind->api_version);
    if (reading->options->namespace) {
        text_append_string(&path, "/namespaces/");
        text_append_string(&path, reading->options->namespace);
    }
    text_append_string(&path, "/");
    text_append(&path, kind->plural);
    text_append_string(&path, "?limit=");
    text_append_number(&path, SCAN_PAGE);
    if (token.length) {
        text_append_string(&path, "&continue=");
        text_append(&path, token);
    }
    text_append(&path, SLICE("\0"));
    return text_slice(&path).bytes;
}

static void request_once(struct worker *worker, const char *path, struct page *page)
{
    page->error = (struct error){0};
    if (!path) {
        page->found = CLUSTER_FAILED;
        page->refusal = CLUSTER_REFUSAL_OTHER;
        error_set_out_of_memory(&page->error);
        return;
    }
    wait_for_request(worker->reading);
    page->found = cluster_get_raw(worker->cluster, path, &page->content, &page->error);
    page->refusal = worker->cluster->refusal;
}

/*
 * Requests the page behind the token; empty: the first. kubectl and the client of a pod follow Retry-After by
 * themselves; where they give up, waits longer.
 */
static void request(
    struct worker *worker, const struct discovered_kind *kind, struct slice token, struct page *page)
{
    struct slice current = token;
    for (unsigned try = 0; try < TRIES_MAX; try++) {
        request_once(worker, path_of(worker->reading, kind, current, worker->arena), page);
        if (page->found != CLUSTER_FAILED)
            return;
        struct slice renewed = {NULL, 0};
        if (page->refusal == CLUSTER_EXPIRED && current.length)
            renewed = continue_token_renewed(current, worker->arena);
        if (renewed.bytes)
            current = renewed;
        else if (page->refusal == CLUSTER_BUSY && try + 1 < TRIES_MAX)
            sleep_ms((uint64_t)500 << try);
        else
            return;
    }
}

/*
 * Judging
 */

static void show_progress(const struct reading *reading, const struct discovered_kind *kind)
{
    if (reading->options->has_progress)
        fprintf(
            stderr, "\r\033[K%llu objects, %zu of %zu kinds: %.*s", (unsigned long long)reading->objects,
            reading->turn + 1, reading->count, (int)text_cut(kind->plural, 40).length, kind->plural.bytes);
}

static void end_progress(const struct reading *reading)
{
    if (reading->options->has_progress)
        fputs("\r\033[K", stderr);
}

/* Items of a built-in kind do not name their kind and version: the list does. */
static void judge_item(
    struct reading *reading, const struct discovered_kind *kind, yyjson_val *item, yyjson_val *version)
{
    bool has_version = json_member(item, SLICE("apiVersion")) != NULL;
    reading->objects++;
    scan_session_add(
        reading->session, "",
        &(struct scan_object){
            .api_version = kind->api_version,
            .kind = kind->kind,
            .namespace = json_text(json_metadata(item, SLICE("namespace"))),
            .name = json_text(json_metadata(item, SLICE("name"))),
            .value = item,
            .list_api_version = has_version ? NULL : version,
        });
}

static void complain_about_kind(
    struct reading *reading, const struct discovered_kind *kind, const struct error *error)
{
    struct text name = text_start(reading->page, 128);
    text_append(&name, group_kind_of(kind->group, kind->plural, reading->page));
    text_append(&name, SLICE("\0"));
    end_progress(reading);
    complain(reading, text_slice(&name).bytes ? text_slice(&name).bytes : "", error);
}

/* Judges the objects of a page. Returns the token of the next one; empty: it was the last. */
static struct slice judge_page(
    struct reading *reading, const struct discovered_kind *kind, struct page *page, struct arena *arena)
{
    static const struct slice none = {"", 0};
    char *padded = realloc(page->content.bytes, page->content.length + YYJSON_PADDING_SIZE);
    if (padded)
        page->content.bytes = padded;
    yyjson_doc *document = padded
        ? json_read((struct slice){padded, page->content.length}, YYJSON_READ_INSITU, reading->page, NULL)
        : NULL;
    yyjson_val *list = document ? yyjson_doc_get_root(document) : NULL;
    yyjson_val *items = json_member(list, SLICE("items"));
    struct error error = {0};
    if (!items || !yyjson_is_arr(items)) {
        if (!list || !yyjson_is_null(items)) {
            error_set(&error, "%s", padded ? "the answer is not a list" : "out of memory");
            complain_about_kind(reading, kind, &error);
        }
        return none;
    }
    yyjson_val *version = json_member(list, SLICE("apiVersion"));
    yyjson_arr_iter each;
    yyjson_arr_iter_init(items, &each);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&each));)
        if (yyjson_is_obj(item))
            judge_item(reading, kind, item, version);
    struct slice token = json_text(json_metadata(list, SLICE("continue")));
    return token.length ? arena_copy(arena, token) : none;
}

static void free_page(struct page *page)
{
    free(page->content.bytes);
    page->content = (struct file_content){0};
}

static void refuse_kind(struct reading *reading, const struct discovered_kind *kind, const struct page *page)
{
    if (page->refusal != CLUSTER_FORBIDDEN)
        complain_about_kind(reading, kind, &page->error);
    else if (!scan_note_forbidden(
                 reading->session->scan, group_kind_of(kind->group, kind->kind, reading->page)))
        reading->session->is_out_of_memory = true;
}

/* All pages of a kind, from the first one on. */
static void judge_kind(struct worker *worker, const struct discovered_kind *kind, struct page *page)
{
    struct reading *reading = worker->reading;
    while (page->found == CLUSTER_FOUND && !reading->session->is_out_of_memory) {
        show_progress(reading, kind);
        struct slice token = judge_page(reading, kind, page, worker->arena);
        free_page(page);
        arena_reset(reading->page);
        if (!token.length)
            break;
        request(worker, kind, token, page);
    }
    if (page->found == CLUSTER_FAILED)
        refuse_kind(reading, kind, page);
    arena_reset(reading->page);
}

/*
 * Workers
 */

static bool take_kind(struct reading *reading, size_t *index)
{
    pthread_mutex_lock(&reading->mutex);
    *index = reading->next++;
    pthread_mutex_unlock(&reading->mutex);
    return *index < reading->count;
}

static void wait_for_turn(struct reading *reading, size_t index)
{
    pthread_mutex_lock(&reading->mutex);
    while (reading->turn != index)
        pthread_cond_wait(&reading->turned, &reading->mutex);
    pthread_mutex_unlock(&reading->mutex);
}

static void end_turn(struct reading *reading)
{
    pthread_mutex_lock(&reading->mutex);
    reading->turn++;
    pthread_cond_broadcast(&reading->turned);
    pthread_mutex_unlock(&reading->mutex);
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct reading *reading = worker->reading;
    size_t index;
    while (take_kind(reading, &index)) {
        const struct discovered_kind *kind = &reading->kinds[index];
        struct page page = {0};
        request(worker, kind, SLICE(""), &page);
        wait_for_turn(reading, index);
        judge_kind(worker, kind, &page);
        end_turn(reading);
        free_page(&page);
        arena_reset(worker->arena);
    }
    return NULL;
}

/* The first worker is this thread, and has the access to the cluster that discovery used. */
static size_t open_workers(struct reading *reading, struct cluster *cluster, struct worker *workers)
{
    size_t count = 0;
    for (; count < SCAN_LISTS && (count < reading->count || !count); count++) {
        struct error ignored = {0};
        struct worker *worker = &workers[count];
        *worker = (struct worker){.reading = reading, .arena = arena_create()};
        worker->cluster = count ? reading->options->open(reading->options->context, &ignored) : cluster;
        if (worker->cluster && worker->arena)
            continue;
        arena_destroy(worker->arena);
        if (count)
            cluster_close(worker->cluster);
        break;
    }
    return count;
}

static void read_kinds(struct reading *reading, struct cluster *cluster)
{
    struct worker workers[SCAN_LISTS];
    size_t count = open_workers(reading, cluster, workers), started = 1;
    if (!count) {
        reading->session->is_out_of_memory = true;
        return;
    }
    while (started < count && pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    work(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < count; i++) {
        arena_destroy(workers[i].arena);
        if (i)
            cluster_close(workers[i].cluster);
    }
    end_progress(reading);
}

static void read_opened(struct reading *reading, struct cluster *cluster)
{
    struct error error = {0};
    if (find_kinds(reading, cluster, &error) < 0) {
        complain(reading, "", &error);
        return;
    }
    scan_begin_input(reading->session->scan);
    read_kinds(reading, cluster);
    scan_end_input(reading->session->scan);
    if (!reading->has_failed && !reading->options->namespace && !reading->options->kinds.count)
        scan_note_complete(reading->session->scan);
}

void scan_read_cluster(struct scan_session *session, const struct scan_cluster *options)
{
    struct error error = {0};
    struct reading reading = {
        .session = session,
        .options = options,
        .arena = arena_create(),
        .page = arena_create(),
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .turned = PTHREAD_COND_INITIALIZER,
    };
    struct cluster *cluster = NULL;
    if (reading.arena && reading.page)
        cluster = options->open(options->context, &error);
    else
        error_set_out_of_memory(&error);
    if (cluster)
        read_opened(&reading, cluster);
    else
        complain(&reading, "", &error);
    cluster_close(cluster);
    arena_destroy(reading.page);
    arena_destroy(reading.arena);
}

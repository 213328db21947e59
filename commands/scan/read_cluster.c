#include "commands/scan/read_cluster.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/split.h"
#include "commands/scan/requests.h"
#include "commands/scan/share.h"
#include "kubectl/discovery.h"
#include "manifest/kinds.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct scan_session *session;
    const struct scan_cluster *options;
    struct discovery discovery;
    struct arena *arena;           /* of the discovery */
    struct arena *page;            /* of the page that is judged */
    struct discovered_kind *kinds; /* that are listed */
    size_t count;
    bool has_failed;

    struct scan_share share;
    struct scan_requests requests;

    pthread_mutex_t mutex; /* for: */
    pthread_cond_t turned;
    size_t next; /* the kind that no worker has yet */
    size_t turn; /* the kind whose objects are judged */
    uint64_t objects;
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
            if (discovery_is_named(kind, slice_trim(split_next(&rest, ','))))
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

/* Adds a page of namespaces. Returns false if it cannot be read; `token` is that of the next page. */
static bool add_namespaces(struct reading *reading, struct scan_page *page, struct slice *token)
{
    yyjson_val *list = page->found == CLUSTER_FOUND ? scan_page_read(page, reading->page) : NULL;
    bool is_read = yyjson_is_arr(json_member(list, SLICE("items"))) &&
        scan_share_add_namespaces(&reading->share, list, reading->arena);
    *token = arena_copy(reading->arena, json_text(json_metadata(list, SLICE("continue"))));
    return is_read;
}

/*
 * A shard of all namespaces finds out which ones are its own. If not all of them can be listed, it lists all
 * objects. Returns false if memory runs out.
 */
static bool find_namespaces(struct reading *reading, struct cluster *cluster)
{
    static const struct discovered_kind kind = {
        .api_version = SLICE_LITERAL("v1"),
        .group = SLICE_LITERAL(""),
        .plural = SLICE_LITERAL("namespaces")};
    struct scan_share *share = &reading->share;
    const struct scan_list namespaces = scan_list_start(&kind, SLICE(""));
    struct slice token = SLICE("");
    bool is_done = share->namespace.length || !scan_is_sharded(share->scan);
    while (!is_done) {
        struct scan_page page = {0};
        scan_request(&reading->requests, cluster, &namespaces, token, reading->arena, &page);
        bool is_read = add_namespaces(reading, &page, &token);
        is_done = !is_read || !token.length;
        share->knows_namespaces = is_read && is_done && share->count;
        scan_page_free(&page);
        arena_reset(reading->page);
    }
    return !arena_has_failed(reading->arena);
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
    if (!find_namespaces(reading, cluster))
        return error_set_out_of_memory(error);
    for (size_t i = 0; i < discovery->count; i++)
        if (is_listed(reading->options, &discovery->kinds[i]) &&
            scan_share_has_kind(&reading->share, &discovery->kinds[i]))
            reading->kinds[reading->count++] = discovery->kinds[i];
    complain_about_names(reading);
    return 0;
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
    const char *name =
        text_join_string(reading->page, group_kind_of(kind->group, kind->plural, reading->page));
    end_progress(reading);
    complain(reading, name ? name : "", error);
}

/* Judges the objects of a page. Returns the token of the next one; empty: it was the last. */
static struct slice judge_page(
    struct reading *reading, const struct discovered_kind *kind, yyjson_val *list, struct arena *arena)
{
    static const struct slice none = {"", 0};
    yyjson_val *items = json_member(list, SLICE("items"));
    struct error error = {0};
    if (!items || !yyjson_is_arr(items)) {
        if (!list || !yyjson_is_null(items)) {
            if (arena_has_failed(reading->page))
                error_set_out_of_memory(&error);
            else
                error_set(&error, "the answer is not a list");
            complain_about_kind(reading, kind, &error);
        }
        return none;
    }
    yyjson_val *version = json_member(list, SLICE("apiVersion"));
    json_each_item(item, items)
        if (yyjson_is_obj(item))
            judge_item(reading, kind, item, version);
    struct slice token = json_text(json_metadata(list, SLICE("continue")));
    return token.length ? arena_copy(arena, token) : none;
}

static void refuse_kind(
    struct reading *reading, const struct discovered_kind *kind, const struct scan_page *page)
{
    if (page->refusal != CLUSTER_FORBIDDEN)
        complain_about_kind(reading, kind, &page->error);
    else if (!scan_note_forbidden(
                 reading->session->scan, group_kind_of(kind->group, kind->kind, reading->page)))
        reading->session->is_out_of_memory = true;
}

/*
 * All pages of a list, from the first one on. Returns true if the first one shows that the kind is to be
 * listed by namespace, and has judged nothing then.
 */
static bool judge_list(struct worker *worker, struct scan_list *list, struct scan_page *page)
{
    struct reading *reading = worker->reading;
    bool is_first = true, is_by_namespace = false;
    while (page->found == CLUSTER_FOUND && !reading->session->is_out_of_memory && !is_by_namespace) {
        show_progress(reading, list->kind);
        yyjson_val *root = scan_page_read(page, reading->page);
        is_by_namespace = is_first && !list->namespace.length &&
            scan_share_is_by_namespace(&reading->share, list->kind, root);
        struct slice token =
            is_by_namespace ? SLICE("") : judge_page(reading, list->kind, root, worker->arena);
        scan_list_fit(list, page, yyjson_arr_size(json_member(root, SLICE("items"))));
        scan_page_free(page);
        arena_reset(reading->page);
        is_first = false;
        if (!token.length)
            break;
        scan_request(&reading->requests, worker->cluster, list, token, worker->arena, page);
    }
    if (page->found == CLUSTER_FAILED)
        refuse_kind(reading, list->kind, page);
    arena_reset(reading->page);
    return is_by_namespace;
}

/* Lists the kind in each namespace of the shard, in place of `whole`. */
static void judge_by_namespace(struct worker *worker, const struct scan_list *whole)
{
    const struct discovered_kind *kind = whole->kind;
    const struct scan_share *share = &worker->reading->share;
    bool is_listed = true;
    for (size_t i = 0; i < share->count && is_listed; i++) {
        struct scan_list list = *whole;
        list.namespace = share->namespaces[i];
        struct scan_page page = {0};
        if (!scan_share_has(share, kind, list.namespace))
            continue;
        scan_request(&worker->reading->requests, worker->cluster, &list, SLICE(""), worker->arena, &page);
        judge_list(worker, &list, &page);
        is_listed = page.found != CLUSTER_FAILED;
        scan_page_free(&page);
    }
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
        struct scan_list list = scan_list_start(&reading->kinds[index], reading->share.namespace);
        struct scan_page page = {0};
        scan_request(&reading->requests, worker->cluster, &list, SLICE(""), worker->arena, &page);
        wait_for_turn(reading, index);
        if (judge_list(worker, &list, &page))
            judge_by_namespace(worker, &list);
        end_turn(reading);
        scan_page_free(&page);
        arena_reset(worker->arena);
    }
    return NULL;
}

/* The first worker is this thread, and has the access to the cluster that discovery used. */
static size_t open_workers(struct reading *reading, struct cluster *cluster, struct worker *workers)
{
    size_t count = 0;
    for (; count < reading->options->lists && (count < reading->count || !count); count++) {
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
    struct worker workers[SCAN_LISTS_MAX];
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
        .share = {.scan = session->scan, .namespace = slice_of(options->namespace ? options->namespace : "")},
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .turned = PTHREAD_COND_INITIALIZER,
    };
    struct cluster *cluster = NULL;
    scan_requests_start(&reading.requests, options->rate);
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

#include "cli/scan_publish.h"

#ifndef APPLYGUARD_STATIC

#include "base/json_append.h"
#include "certs/memory.h"
#include "kube/api_client.h"
#include "kube/write.h"

#include <time.h>

/* A ConfigMap may have 1 MiB, in three parts. */
#define PART_BYTES_MAX ((size_t)300 * 1024)

struct publication {
    struct kube_client *client;
    struct arena *arena;
    const char *name;
};

/* Whole lines of a text that is too large, and how it goes on. */
static struct slice cut(struct slice all)
{
    if (all.length <= PART_BYTES_MAX)
        return all;
    all.length = PART_BYTES_MAX;
    while (all.length && all.bytes[all.length - 1] != '\n')
        all.length--;
    return all;
}

/* A summary that is cut would not be JSON. */
static struct slice summary_of(const struct scan_summary *summary, struct arena *arena)
{
    struct text text = text_start(arena, 16384);
    scan_append_summary(&text, summary);
    return text.length > PART_BYTES_MAX ? SLICE("") : text_slice(&text);
}

static struct slice make_body(
    struct publication *publication, const struct scan_summary *summary, uint64_t seconds)
{
    struct arena *arena = publication->arena;
    int64_t now = (int64_t)time(NULL);
    struct text report = text_start(arena, 16384), metrics = text_start(arena, 8192),
                body = text_start(arena, 65536);
    scan_append_text(&report, summary, &(struct scan_text){.now = now});
    scan_append_metrics(&metrics, summary, now, seconds);
    text_append_string(&body, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":");
    json_append_string(&body, slice_of(publication->name));
    text_append_string(&body, "},\"data\":{");
    json_append_exact(&body, "report.txt", cut(text_slice(&report)));
    json_append_exact(&body, "summary.json", summary_of(summary, arena));
    json_append_exact(&body, "metrics.prom", cut(text_slice(&metrics)));
    text_append_string(&body, "}}");
    return text_slice(&body);
}

static int publish(
    struct publication *publication, const struct scan_summary *summary, uint64_t seconds,
    struct error *error)
{
    if (!kube_is_name(publication->name))
        return error_set(error, "it is not a valid name of an object");
    if (!kube_namespace(publication->client))
        return error_set(error, "the pod's namespace is not known");
    const struct slice body = make_body(publication, summary, seconds);
    if (!body.bytes)
        return error_set_out_of_memory(error);
    const char *path = text_join_string(
        publication->arena, "/api/v1/namespaces/", kube_namespace(publication->client), "/configmaps/",
        publication->name, "?fieldManager=applyguard-scan&force=true");
    return kube_apply(publication->client, path, body, error);
}

int scan_publish(const char *name, const struct scan_summary *summary, uint64_t seconds, struct error *error)
{
    memory_protect();
    struct publication publication = {
        .client = api_client_connect(NULL, error), .arena = arena_create(), .name = name};
    int result = -1;
    if (publication.client)
        result = publication.arena ? publish(&publication, summary, seconds, error)
                                   : error_set_out_of_memory(error);
    arena_destroy(publication.arena);
    kube_client_free(publication.client);
    return result;
}

#endif

#include "cli/scan_reports_pod.h"

#ifndef APPLYGUARD_STATIC

#include "base/text.h"
#include "certs/memory.h"
#include "commands/scan/reports.h"
#include "kube/api_client.h"

#include <stdlib.h>

#define TIMEOUT_MS 60000

struct scan_report_writer {
    struct kube_client *client;
    struct arena *arena; /* of one request */
};

struct scan_report_writer *scan_report_writer_open(struct error *error)
{
    memory_protect();
    struct scan_report_writer *writer = calloc(1, sizeof(*writer));
    struct arena *arena = writer ? arena_create() : NULL;
    if (!arena) {
        free(writer);
        error_set_out_of_memory(error);
        return NULL;
    }
    *writer = (struct scan_report_writer){.client = api_client_connect(NULL, error), .arena = arena};
    if (writer->client)
        return writer;
    scan_report_writer_close(writer);
    return NULL;
}

void scan_report_writer_close(struct scan_report_writer *writer)
{
    if (!writer)
        return;
    kube_client_free(writer->client);
    arena_destroy(writer->arena);
    free(writer);
}

static const char *path_of(const struct scan_report_place *place, const char *query, struct arena *arena)
{
    return text_join_string(
        arena, "/apis/", place->api_version, place->namespace.length ? "/namespaces/" : "", place->namespace,
        "/", place->resource, "/" SCAN_REPORT_NAME, query);
}

/* `may_be_absent`: 404 is no error. */
static int call(
    struct scan_report_writer *writer, struct kube_request *request, bool may_be_absent, struct error *error)
{
    struct kube_response response = {0};
    request->timeout_ms = TIMEOUT_MS;
    int result =
        request->path ? kube_call(writer->client, request, &response, error) : error_set_out_of_memory(error);
    bool is_done =
        (response.status >= 200 && response.status < 300) || (may_be_absent && response.status == 404);
    if (result == 0 && !is_done)
        result = kube_refused(&response, error);
    kube_response_release(&response);
    arena_reset(writer->arena);
    return result;
}

int scan_report_writer_apply(
    struct scan_report_writer *writer, const struct scan_report_place *place, struct slice report,
    struct error *error)
{
    struct kube_request request = {
        .method = "PATCH",
        .path = path_of(place, "?fieldManager=applyguard-scan&force=true", writer->arena),
        .content_type = "application/apply-patch+yaml",
        .body = report,
    };
    return call(writer, &request, false, error);
}

int scan_report_writer_delete(
    struct scan_report_writer *writer, const struct scan_report_place *place, struct error *error)
{
    struct kube_request request = {.method = "DELETE", .path = path_of(place, "", writer->arena)};
    return call(writer, &request, true, error);
}

#endif

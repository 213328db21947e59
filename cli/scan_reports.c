#include "cli/scan_reports.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"
#include "kubectl/kubectl.h"
#include "system/child.h"
#ifndef APPLYGUARD_STATIC
#include "certs/memory.h"
#include "kube/api_client.h"
#include "kube/write.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 8

static const struct scan_report_kind kinds[] = {
    {"openreports.io/v1alpha1", "Report", "reports.openreports.io", "clusterreports.openreports.io"},
    {"wgpolicyk8s.io/v1alpha2", "PolicyReport", "policyreports.wgpolicyk8s.io",
     "clusterpolicyreports.wgpolicyk8s.io"},
};

/* Returns -1 and sets the error if the cluster cannot be asked, 0 if it does not serve the version. */
static int is_served(struct cluster *cluster, const struct scan_report_kind *kind, struct error *error)
{
    char path[64];
    struct file_content content = {0};
    snprintf(path, sizeof(path), "/apis/%s", kind->api_version);
    enum cluster_found found = cluster_get_raw(cluster, path, &content, error);
    free(content.bytes);
    return found == CLUSTER_FAILED ? -1 : found == CLUSTER_FOUND;
}

const struct scan_report_kind *scan_report_kind_find(
    const struct cluster_options *options, struct error *error)
{
    struct cluster *cluster = cluster_open(options, error);
    const struct scan_report_kind *kind = NULL;
    int served = cluster ? 0 : -1;
    for (size_t i = 0; !served && i < ARRAY_SIZE(kinds); i++) {
        served = is_served(cluster, &kinds[i], error);
        kind = served == 1 ? &kinds[i] : NULL;
    }
    if (!served)
        error_set(
            error,
            "the cluster serves neither openreports.io/v1alpha1 nor wgpolicyk8s.io/v1alpha2; install the "
            "CRDs of one of them first");
    cluster_close(cluster);
    return kind;
}

/*
 * Runs kubectl with these words behind the flags of the connection. It may read `file` (NULL: none). Returns
 * -1 and sets the error.
 */
static int run_kubectl(
    const struct cluster_options *options, const char *const *words, size_t count, FILE *file,
    struct error *error)
{
    struct arena *arena = arena_create();
    struct slice_list flags = {0};
    const char **arguments = NULL;
    if (arena)
        flags = cluster_flags(options, true, arena);
    if (arena)
        arguments = arena_allocate_array(arena, flags.count + count + 2, sizeof(*arguments));
    if (!arguments || arena_has_failed(arena)) {
        arena_destroy(arena);
        return error_set_out_of_memory(error);
    }
    arguments[0] = "kubectl";
    for (size_t i = 0; i < flags.count; i++)
        arguments[1 + i] = flags.items[i].bytes;
    memcpy((void *)(arguments + 1 + flags.count), (const void *)words, count * sizeof(*words));
    const struct child child = {
        .arguments = (char *const *)(uintptr_t)arguments,
        .output_max = CLUSTER_ANSWER_BYTES_MAX,
        .file = file,
    };
    struct child_result result;
    enum child_outcome outcome = child_run(&child, &result, error);
    int status = outcome == CHILD_ENDED ? 0 : -1;
    if (outcome == CHILD_IS_MISSING)
        error_set(error, "reports are written through kubectl, which is not in PATH");
    if (outcome == CHILD_ENDED)
        free(result.output.bytes);
    if (outcome == CHILD_ENDED && result.exit_status)
        status = kubectl_failed(&result, error);
    arena_destroy(arena);
    return status;
}

/*
 * A file that holds the text and has no name, so it is gone when this process ends. Returns NULL and sets the
 * error.
 */
static FILE *file_of(struct slice text, struct error *error)
{
    FILE *file = tmpfile();
    if (file && fcntl(fileno(file), F_SETFD, FD_CLOEXEC) == 0 &&
        fwrite(text.bytes, 1, text.length, file) == text.length && fflush(file) == 0 &&
        fseek(file, 0, SEEK_SET) == 0)
        return file;
    error_set(error, "no temporary file can be written: %s", strerror(errno));
    if (file)
        fclose(file);
    return NULL;
}

/* How reports are written. */
struct writing {
    const struct cluster_options *options;
    const struct scan_report_kind *kind;
    struct kube_client *pod; /* the pod's service account; NULL: by kubectl */
    struct arena *arena;
};

#ifndef APPLYGUARD_STATIC
/* The path of the report of a namespace; empty: of the cluster. NULL if memory runs out. */
static const char *path_of(const struct writing *writing, struct slice space, const char *query)
{
    struct slice resource = slice_of(space.length ? writing->kind->resource : writing->kind->other);
    return text_join_string(
        writing->arena, "/apis/", writing->kind->api_version, space.length ? "/namespaces/" : "", space, "/",
        slice_until(resource, slice_find(resource, '.')), "/" SCAN_REPORT_NAME, query);
}

static int apply_item(const struct writing *writing, yyjson_val *item, struct error *error)
{
    struct slice space = json_text(json_metadata(item, SLICE("namespace")));
    struct slice report = json_write(item, writing->arena);
    if (!report.bytes)
        return error_set_out_of_memory(error);
    return kube_apply(
        writing->pod, path_of(writing, space, "?fieldManager=applyguard-scan&force=true"), report, error);
}

/*
 * Applies the items of the List one by one. As with kubectl, the others are applied if one is refused, such
 * as in a namespace that is being deleted. The error is the first one.
 */
static int apply_each(const struct writing *writing, struct slice list, struct error *error)
{
    yyjson_val *document = json_parse(list, writing->arena);
    struct error later;
    int result = document ? 0 : error_set_out_of_memory(error);
    json_each_item(item, json_member(document, SLICE("items")))
        if (apply_item(writing, item, result < 0 ? &later : error) < 0)
            result = -1;
    return result;
}
#endif

static int apply_by_kubectl(const struct cluster_options *options, struct slice list, struct error *error)
{
    const char *const words[] = {
        "apply", "--server-side", "--field-manager=applyguard-scan", "-f", CHILD_FILE_PATH};
    FILE *file = file_of(list, error);
    if (!file)
        return -1;
    int result = run_kubectl(options, words, ARRAY_SIZE(words), file, error);
    fclose(file);
    return result;
}

static int apply(const struct writing *writing, struct slice list, struct error *error)
{
#ifndef APPLYGUARD_STATIC
    if (writing->pod)
        return apply_each(writing, list, error);
#endif
    return apply_by_kubectl(writing->options, list, error);
}

static int delete_report(const struct writing *writing, struct slice space, struct error *error)
{
#ifndef APPLYGUARD_STATIC
    if (writing->pod)
        return kube_delete(writing->pod, path_of(writing, space, ""), error);
#endif
    char name[256];
    const char *resource = space.length ? writing->kind->resource : writing->kind->other;
    const char *words[WORDS_MAX] = {"delete", resource, SCAN_REPORT_NAME, "--ignore-not-found"};
    size_t count = 4;
    snprintf(name, sizeof(name), "--namespace=%.*s", (int)space.length, space.bytes);
    if (space.length)
        words[count++] = name;
    return run_kubectl(writing->options, words, count, NULL, error);
}

/* Deletes reports that an earlier scan wrote, and that this one does not. Returns how many; -1: an error. */
static int delete_stale(
    const struct writing *writing, yyjson_val *list, const struct scan_reports *reports, struct error *error)
{
    int deleted = 0;
    json_each_item(item, json_member(list, SLICE("items"))) {
        struct slice space = json_text(json_metadata(item, SLICE("namespace")));
        bool is_ours = slice_equal(json_text(json_metadata(item, SLICE("name"))), SLICE(SCAN_REPORT_NAME));
        if (!is_ours || scan_reports_have(reports, space))
            continue;
        if (delete_report(writing, space, error) < 0)
            return -1;
        deleted++;
    }
    return deleted;
}

/* The same after the list is read. A cluster may lack the kind without a namespace. */
static int delete_stale_of(
    struct cluster *cluster, const struct writing *writing, const struct cluster_object *kind,
    const struct scan_reports *reports, struct error *error)
{
    struct file_content content = {0};
    enum cluster_found found =
        cluster_list_objects(cluster, kind, SLICE(SCAN_REPORT_LABEL "=" SCAN_REPORT_NAME), &content, error);
    struct arena *arena = arena_create();
    yyjson_doc *document =
        arena && found == CLUSTER_FOUND ? json_read(file_slice(&content), 0, arena, NULL) : NULL;
    int deleted = found == CLUSTER_FAILED ? -1 : 0;
    if (found == CLUSTER_FOUND && !document)
        deleted = arena ? (error_set(error, "the list of reports is not JSON"), -1)
                        : error_set_out_of_memory(error);
    else if (document)
        deleted = delete_stale(writing, yyjson_doc_get_root(document), reports, error);
    arena_destroy(arena);
    free(content.bytes);
    return deleted;
}

static int delete_all_stale(
    const struct writing *writing, const struct scan_reports *reports, struct error *error)
{
    const struct cluster_options *options = writing->options;
    const struct scan_report_kind *kind = writing->kind;
    struct cluster *cluster = cluster_open(options, error);
    char of_cluster[32];
    const struct cluster_object spaced = {
        .api_version = slice_of(kind->api_version),
        .kind = slice_of(kind->kind),
        .namespace = options->namespace ? slice_of(options->namespace) : SLICE("")};
    struct cluster_object other = spaced;
    snprintf(of_cluster, sizeof(of_cluster), "Cluster%s", kind->kind);
    other.kind = slice_of(of_cluster);
    if (!cluster)
        return -1;
    int deleted = delete_stale_of(cluster, writing, &spaced, reports, error);
    int others =
        deleted < 0 || options->namespace ? 0 : delete_stale_of(cluster, writing, &other, reports, error);
    cluster_close(cluster);
    return deleted < 0 || others < 0 ? -1 : deleted + others;
}

/* Returns how many reports were deleted; -1: an error. */
static int write_all(const struct writing *writing, const struct scan_reports *reports, struct error *error)
{
    const struct scan_report_kind *kind = writing->kind;
    struct text text = text_start(writing->arena, 65536);
    scan_reports_append(reports, slice_of(kind->api_version), slice_of(kind->kind), &text);
    struct slice list = text_slice(&text);
    int result = !list.bytes       ? error_set_out_of_memory(error)
        : reports->items.count > 0 ? apply(writing, list, error)
                                   : 0;
    return result < 0 ? -1 : delete_all_stale(writing, reports, error);
}

int scan_reports_write(
    const struct cluster_options *options, const struct scan_report_kind *kind,
    const struct scan_reports *reports, struct error *error)
{
    struct writing writing = {.options = options, .kind = kind, .arena = arena_create()};
    bool is_open = writing.arena || error_set_out_of_memory(error) == 0;
#ifndef APPLYGUARD_STATIC
    if (is_open && cluster_is_in_pod()) {
        memory_protect();
        writing.pod = api_client_connect(NULL, error);
        is_open = writing.pod;
    }
#endif
    int deleted = is_open ? write_all(&writing, reports, error) : -1;
#ifndef APPLYGUARD_STATIC
    kube_client_free(writing.pod);
#endif
    arena_destroy(writing.arena);
    if (deleted < 0)
        return -1;
    printf(
        "%s of %s: %zu written, %d deleted\n", kind->kind, kind->api_version, reports->items.count, deleted);
    return 0;
}

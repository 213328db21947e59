/*
 * Objects in files: what kubectl get -o json --show-managed-fields prints, and the directory of a backup of
 * Velero.
 */
#include "commands/scan/session.h"
#include "commands/scan/stream.h"
#include "manifest/each_object.h"
#include "manifest/json_value.h"

#include <stdlib.h>
#include <string.h>

struct file_reading {
    struct scan_session *session;
    bool is_one_input; /* all files are read by one client */
    char *last;        /* the file of the last object; NULL: no object yet */
};

/*
 * In addition to the version that an object has, Velero stores it in the preferred version, under
 * resources/deployments.apps/v1-preferredversion/.
 */
static bool is_second_copy(const char *path)
{
    return strstr(path, "resources/") && strstr(path, "-preferredversion/");
}

static void begin_file(struct file_reading *reading, const char *path)
{
    if (reading->is_one_input || (reading->last && strcmp(reading->last, path) == 0))
        return;
    free(reading->last);
    reading->last = strdup(path);
    scan_end_input(reading->session->scan);
}

static void complain(void *context, const char *path, const struct error *error)
{
    struct scan_session *session = ((struct file_reading *)context)->session;
    scan_note_partial(session->scan);
    session->complain(session->context, path, error);
}

/* Other answers of the API server: a refusal, or objects in a form that lacks most of them. */
static bool is_answer(const struct manifest_object *object)
{
    return slice_starts_with(object->api_version, SLICE("meta.k8s.io/")) ||
        (slice_equal(object->api_version, SLICE("v1")) && slice_equal(object->kind, SLICE("Status")));
}

static void refuse(struct file_reading *reading, const char *path)
{
    struct error error = {0};
    error_set(
        &error,
        "it holds an answer such as a Status or a Table instead of objects; use kubectl get -o json "
        "--show-managed-fields");
    complain(reading, path, &error);
}

static void visit(void *context, const char *path, const struct manifest_object *object)
{
    struct file_reading *reading = context;
    struct scan_session *session = reading->session;
    if (session->is_out_of_memory || is_second_copy(path))
        return;
    begin_file(reading, path);
    if (is_answer(object)) {
        refuse(reading, path);
        return;
    }
    scan_session_add(
        session, path,
        &(struct scan_object){
            .api_version = object->api_version,
            .kind = object->kind,
            .namespace = object->namespace,
            .name = object->name,
            .value = manifest_json_value(object->root, session->arena),
        });
}

static void end(struct file_reading *reading)
{
    scan_end_input(reading->session->scan);
    free(reading->last);
}

void scan_read_files(struct scan_session *session, const char *path, bool is_recursive)
{
    struct file_reading reading = {.session = session};
    const struct object_visitor visitor = {.visit = visit, .complain = complain, .context = &reading};
    scan_begin_input(session->scan);
    each_object_in(path, is_recursive, &visitor);
    end(&reading);
}

void scan_read_stream(struct scan_session *session, const char *path, manifest_read *read, void *input)
{
    struct file_reading reading = {.session = session, .is_one_input = true};
    const struct object_visitor visitor = {.visit = visit, .complain = complain, .context = &reading};
    each_object_of(path, read, input, &visitor);
}

#include "audit/log.h"

#include "audit/decode.h"
#include "audit/documents.h"
#include "audit/response_text.h"
#include "audit/spool.h"
#include "audit/window.h"
#include "audit/wrapping.h"
#include "base/array_size.h"
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is not a log gets only a few lines of errors. */
#define PROBLEMS_MAX 10

/* A problem that is reported after the documents in the spool. DOCUMENTS_READ: none. */
struct postponed {
    enum documents_result result;
    unsigned line;
    struct error error;
};

struct audit_log {
    struct documents *documents;
    struct window *window;
    struct arena *arena; /* of the document */
    struct spool *spool; /* of an array whose order is unknown, or reversed; mostly NULL */
    struct postponed postponed;
    yyjson_arr_iter items;
    struct slice rest;         /* of a line: values behind the last one that was read */
    struct parsed_text parsed; /* the text that was parsed last */
    unsigned line;
    size_t problems;
    bool is_list;             /* the document is a list, and `items` are its remaining items */
    enum container container; /* of the document */
    bool is_item;             /* the value, or `items`, are items of an EventList */
    bool is_torn;             /* the file ends within the line */
    bool is_file;
    bool reads_spool; /* the last document is from the spool */
    bool has_spooled; /* its beginning is not the file's beginning */
    bool has_ended;
    bool has_content; /* a line with anything but white space was read */
};

bool audit_log_has_content(const struct audit_log *log)
{
    return log->has_content || documents_have_container(log->documents);
}

bool audit_log_is_file(const struct audit_log *log)
{
    return log->is_file && !log->has_spooled;
}

void audit_log_close(struct audit_log *log)
{
    if (!log)
        return;
    window_close(log->window);
    documents_close(log->documents);
    spool_free(log->spool);
    arena_destroy(log->arena);
    free(log);
}

/* Reports the problem of the line and returns true, up to a limit; after that problems are only counted. */
static bool report_problem(struct audit_log *log, const struct error *problem, struct error *error)
{
    if (++log->problems > PROBLEMS_MAX)
        return false;
    *error = *problem;
    error->line = log->line;
    error->column = 1;
    return true;
}

/* Reports the number of the other problems, once. */
static enum audit_result end(struct audit_log *log, struct error *error)
{
    log->has_ended = true;
    if (log->problems <= PROBLEMS_MAX)
        return AUDIT_END;
    error_set(error, "%zu more lines are not readable events", log->problems - PROBLEMS_MAX);
    log->problems = 0;
    return AUDIT_ERROR;
}

static bool is_blank(const struct document_text *document)
{
    size_t blanks = 0;
    while (blanks < document->length && ascii_is_space(document->bytes[blanks]))
        blanks++;
    return blanks == document->length;
}

/* The text as JSON: a line may have a time before that. */
static struct slice json_of(struct audit_log *log, struct slice text)
{
    struct slice record = ascii_is_digit(text.bytes[0]) ? wrapping_of_line(text, log->arena) : text;
    return record.bytes ? record : text;
}

/* Parses in a copy, because the text of the response is kept. */
static yyjson_doc *parse_copy(struct audit_log *log, struct slice json, yyjson_read_err *problem)
{
    char *copy = arena_allocate(log->arena, json.length + YYJSON_PADDING_SIZE);
    if (!copy)
        return NULL;
    memcpy(copy, json.bytes, json.length);
    log->parsed = (struct parsed_text){json, copy};
    return json_read(
        (struct slice){copy, json.length}, YYJSON_READ_INSITU | YYJSON_READ_STOP_WHEN_DONE, log->arena,
        problem);
}

/* The rest of the text behind a value. */
static struct slice rest_of(struct slice text, size_t used)
{
    struct slice rest = slice_from(text, used);
    while (rest.length && ascii_is_space(rest.bytes[0]))
        rest = slice_from(rest, 1);
    return rest;
}

/*
 * Reads the first value of the text; `rest` may follow. Returns NULL and sets the error if that is not JSON.
 */
static yyjson_val *parse(struct audit_log *log, struct slice text, struct slice *rest, struct error *error)
{
    yyjson_read_err problem = {0};
    arena_reset(log->arena);
    struct slice json = json_of(log, text);
    yyjson_doc *document = parse_copy(log, json, &problem);
    if (document) {
        *rest = json.bytes == text.bytes ? rest_of(text, yyjson_doc_get_read_size(document))
                                         : (struct slice){NULL, 0};
        return yyjson_doc_get_root(document);
    }
    if (arena_has_failed(log->arena))
        error_set_out_of_memory(error);
    else if (log->is_torn)
        error_set(error, "the log ends within this line");
    else
        error_set(error, "it is not JSON");
    return NULL;
}

/* An element of an array may be the text of an event. Returns NULL and sets the error if memory runs out. */
static yyjson_val *read_quoted(
    struct audit_log *log, enum container container, yyjson_val *json, struct error *error)
{
    if (!yyjson_is_str(json) || container != CONTAINER_ARRAY)
        return json;
    struct slice record = wrapping_of_text(json_text(json), log->arena);
    yyjson_val *read = json_parse(record, log->arena);
    if (!read)
        error_set_out_of_memory(error);
    return read;
}

static bool is_event_list(yyjson_val *json)
{
    return slice_equal(json_text(json_member(json, SLICE("kind"))), SLICE("EventList")) &&
        slice_equal(json_text(json_member(json, SLICE("apiVersion"))), SLICE("audit.k8s.io/v1"));
}

/* The events of a container that is a line, or an element of an array. */
static yyjson_val *items_of(struct audit_log *log, yyjson_val *json)
{
    static const struct slice names[] = {
        SLICE_LITERAL("logEvents"), SLICE_LITERAL("records"), SLICE_LITERAL("events")};
    if (json_member(json, SLICE("kind"))) {
        bool is_list = is_event_list(json);
        log->is_item |= is_list;
        return is_list ? json_member(json, SLICE("items")) : NULL;
    }
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        yyjson_val *items = json_member(json, names[i]);
        if (yyjson_is_arr(items))
            return items;
    }
    return NULL;
}

static bool begin_list(struct audit_log *log, yyjson_val *json)
{
    yyjson_val *items = items_of(log, json);
    log->is_list = yyjson_is_arr(items) && yyjson_arr_iter_init(items, &log->items);
    return log->is_list;
}

/*
 * The order of an array
 */

/*
 * The time when the request of the document ended. It is in `time`. Returns false if the document has no such
 * request.
 */
static bool time_of(
    struct audit_log *log, const struct document_text *document, struct slice *time, char bytes[32])
{
    struct audit_event event;
    struct error ignored = {0};
    struct slice text = {document->bytes, document->length}, rest;
    yyjson_val *json = document->length ? parse(log, text, &rest, &ignored) : NULL;
    if (json)
        json = read_quoted(log, document->container, json, &ignored);
    if (!json || audit_decode(json, false, log->arena, &event, &ignored) != AUDIT_DECODED)
        return false;
    *time = slice_until(event.ended, 32);
    if (time->length)
        memcpy(bytes, time->bytes, time->length);
    time->bytes = bytes;
    return true;
}

/* The first and the current document of an array, which show its order. */
struct order {
    char first_bytes[32], next_bytes[32];
    struct slice first;
    bool has_first;
    int direction; /* below 0: newest first; 0: unknown */
};

static void compare_order(struct audit_log *log, struct order *order, const struct document_text *document)
{
    struct slice next;
    if (order->direction)
        return;
    if (!order->has_first)
        order->has_first = time_of(log, document, &order->first, order->first_bytes);
    else if (time_of(log, document, &next, order->next_bytes))
        order->direction = slice_compare(next, order->first);
}

/* Keeps the first problem inside an array until the array is in order. */
static void postpone(
    struct audit_log *log, enum documents_result result, unsigned line, const struct error *error)
{
    if (log->postponed.result == DOCUMENTS_READ)
        log->postponed = (struct postponed){result, line, *error};
}

static bool spool(struct audit_log *log, const struct document_text *document, struct error *error)
{
    if (!log->spool)
        log->spool = spool_create(error);
    return log->spool && spool_add(log->spool, document, error);
}

/* Keeps the array's documents until its order is known, or all of them if it is reversed. */
static bool spool_array(struct audit_log *log, struct error *error)
{
    struct order order = {.direction = 0};
    struct document_text document;
    enum documents_result result = DOCUMENTS_READ;
    log->has_spooled = true;
    while (order.direction <= 0 && result != DOCUMENTS_ARRAY_END && result != DOCUMENTS_UNREADABLE) {
        result = documents_next(log->documents, &document, error);
        if (result == DOCUMENTS_READ) {
            compare_order(log, &order, &document);
            if (!spool(log, &document, error))
                return false;
        } else if (result != DOCUMENTS_ARRAY_END) {
            postpone(log, result, document.line, error);
        }
    }
    return !log->spool || spool_end(log->spool, order.direction < 0, error);
}

/* Whether a document, or a problem, comes from an array that was spooled. */
static bool is_spooled(
    struct audit_log *log, struct document_text *document, enum documents_result *result, struct error *error)
{
    log->reads_spool = log->spool != NULL;
    if (log->spool) {
        *result = spool_next(log->spool, document, error);
        if (*result != DOCUMENTS_END)
            return true;
        spool_free(log->spool);
        log->spool = NULL;
        log->reads_spool = false;
    }
    const struct postponed postponed = log->postponed;
    if (postponed.result == DOCUMENTS_READ)
        return false;
    log->postponed.result = DOCUMENTS_READ;
    document->line = postponed.line;
    *error = postponed.error;
    *result = postponed.result;
    return true;
}

/* Like documents_next, but without the begin and end of arrays, and with their documents the oldest first. */
static enum documents_result next_document(void *context, struct document_text *document, struct error *error)
{
    struct audit_log *log = context;
    enum documents_result result = DOCUMENTS_ARRAY_END;
    while (result == DOCUMENTS_ARRAY_BEGIN || result == DOCUMENTS_ARRAY_END) {
        *document = (struct document_text){0};
        if (is_spooled(log, document, &result, error))
            return result;
        result = documents_next(log->documents, document, error);
        if (result == DOCUMENTS_ARRAY_BEGIN && !spool_array(log, error))
            return DOCUMENTS_UNREADABLE;
    }
    return result;
}

static void swap_document(void *context, char **bytes, size_t *capacity)
{
    struct audit_log *log = context;
    if (log->reads_spool)
        spool_swap(log->spool, bytes, capacity);
    else
        documents_swap(log->documents, bytes, capacity);
}

/*
 * Opening
 */

static int open_descriptor(const char *path, struct error *error)
{
    bool is_input = strcmp(path, "-") == 0;
    int descriptor = is_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    return descriptor < 0 ? error_set_file(error, path, errno) : descriptor;
}

static struct audit_log *fail(struct audit_log *log, struct error *error)
{
    audit_log_close(log);
    error_set_out_of_memory(error);
    return NULL;
}

struct audit_log *audit_log_open(const char *path, struct error *error)
{
    struct stat status;
    int descriptor = open_descriptor(path, error);
    if (descriptor < 0)
        return NULL;
    struct audit_log *log = calloc(1, sizeof(*log));
    if (!log) {
        close(descriptor);
        return fail(log, error);
    }
    log->is_file = strcmp(path, "-") != 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    log->documents = documents_open(descriptor);
    const struct window_source source = {log, next_document, swap_document};
    log->window = log->documents ? window_open(source) : NULL;
    log->postponed.result = DOCUMENTS_READ;
    log->arena = arena_create();
    return log->window && log->arena ? log : fail(log, error);
}

/*
 * Events
 */

/* Whether a problem of the document is reported. `problem` is the one of a broken document. */
static bool has_problem(
    struct audit_log *log, enum documents_result read, struct error *problem, struct error *error)
{
    if (read == DOCUMENTS_TOO_LONG)
        error_set(problem, "it is longer than %zu MiB", DOCUMENT_BYTES_MAX / 1024 / 1024);
    return (read == DOCUMENTS_TOO_LONG || read == DOCUMENTS_BROKEN) && report_problem(log, problem, error);
}

/*
 * Fills `rest` with the next document. Returns false at the end, and for a problem to report, and sets
 * `result`.
 */
static bool next_text(struct audit_log *log, enum audit_result *result, struct error *error)
{
    struct document_text document;
    struct error problem;
    *result = AUDIT_ERROR;
    while (!log->rest.length) {
        enum documents_result read = window_next(log->window, &document, &problem);
        if (read == DOCUMENTS_END) {
            *result = end(log, error);
            return false;
        }
        log->has_content |= read != DOCUMENTS_READ || !is_blank(&document);
        log->line = document.line;
        log->container = document.container;
        log->is_torn = document.is_torn;
        if (read == DOCUMENTS_UNREADABLE) {
            log->has_ended = true;
            *error = problem;
            return false;
        }
        if (has_problem(log, read, &problem, error))
            return false;
        if (read == DOCUMENTS_READ && !is_blank(&document))
            log->rest = (struct slice){document.bytes, document.length};
    }
    return true;
}

/*
 * Reads until a document has an event, or a problem to report. Returns NULL and sets `result` for a problem,
 * or the end.
 */
static yyjson_val *next_json(struct audit_log *log, enum audit_result *result, struct error *error)
{
    struct error problem;
    *result = AUDIT_END;
    while (!log->has_ended) {
        yyjson_val *item = log->is_list ? yyjson_arr_iter_next(&log->items) : NULL;
        if (item)
            return item;
        log->is_list = false;
        if (!next_text(log, result, error))
            return NULL;
        struct slice text = log->rest;
        log->rest = (struct slice){NULL, 0};
        yyjson_val *json = parse(log, text, &log->rest, &problem);
        log->is_item = log->container == CONTAINER_EVENTS;
        if (json && begin_list(log, json))
            continue;
        if (json)
            json = read_quoted(log, log->container, json, &problem);
        if (json)
            return json;
        if (report_problem(log, &problem, error)) {
            *result = AUDIT_ERROR;
            return NULL;
        }
    }
    return NULL;
}

enum audit_result audit_log_next(struct audit_log *log, struct audit_event *event, struct error *error)
{
    enum audit_result result;
    struct error problem;
    for (yyjson_val *json; (json = next_json(log, &result, error));) {
        enum audit_decode decoded = audit_decode(json, log->is_item, log->arena, event, &problem);
        if (decoded == AUDIT_DECODED) {
            event->response_text = response_text_find(&log->parsed, event);
            return AUDIT_EVENT;
        }
        if (decoded == AUDIT_NO_EVENT && report_problem(log, &problem, error))
            return AUDIT_ERROR;
    }
    return result;
}

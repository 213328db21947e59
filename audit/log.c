#include "audit/log.h"

#include "audit/line_reader.h"
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who gives another file for a log is told so in a few lines. */
#define PROBLEMS_MAX 10

struct audit_log {
    struct line_reader *lines;
    struct arena *arena; /* of the line */
    yyjson_arr_iter items;
    unsigned line;
    size_t problems;
    bool is_list; /* the line is an EventList, of which `items` are left */
    bool is_file;
    bool has_ended;
};

static int open_descriptor(const char *path, struct error *error)
{
    bool is_input = strcmp(path, "-") == 0;
    int descriptor = is_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    return descriptor < 0 ? error_set(error, "%s", strerror(errno)) : descriptor;
}

static struct audit_log *fail(struct audit_log *log, struct error *error)
{
    audit_log_close(log);
    error_set(error, "there is no memory");
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
    log->lines = line_reader_open(descriptor);
    log->arena = arena_create();
    return log->lines && log->arena ? log : fail(log, error);
}

bool audit_log_is_file(const struct audit_log *log)
{
    return log->is_file;
}

void audit_log_close(struct audit_log *log)
{
    if (!log)
        return;
    line_reader_close(log->lines);
    arena_destroy(log->arena);
    free(log);
}

/* What is wrong with the line, up to a bound; then it is only counted. */
static bool tells(struct audit_log *log, struct error *error)
{
    error->line = log->line;
    error->column = 1;
    return ++log->problems <= PROBLEMS_MAX;
}

/* The rest of the problems, once. */
static enum audit_result end(struct audit_log *log, struct error *error)
{
    log->has_ended = true;
    if (log->problems <= PROBLEMS_MAX)
        return AUDIT_END;
    error_set(error, "%zu more lines are no events that can be read", log->problems - PROBLEMS_MAX);
    log->problems = 0;
    return AUDIT_ERROR;
}

static bool is_blank(const struct line *line)
{
    size_t blanks = 0;
    while (blanks < line->length &&
           (line->bytes[blanks] == ' ' || line->bytes[blanks] == '\t' || line->bytes[blanks] == '\r'))
        blanks++;
    return blanks == line->length;
}

/* NULL and an error if the line is no JSON. */
static yyjson_val *parse(struct audit_log *log, const struct line *line, struct error *error)
{
    yyjson_read_err problem = {0};
    struct slice text = {line->bytes, line->length};
    arena_reset(log->arena);
    yyjson_doc *document = json_read(text, YYJSON_READ_INSITU, log->arena, &problem);
    if (document)
        return yyjson_doc_get_root(document);
    if (arena_has_failed(log->arena))
        error_set(error, "there is no memory for this line");
    else if (line->is_torn)
        error_set(error, "the log ends within this line");
    else
        error_set(error, "it is no JSON");
    return NULL;
}

static bool begin_list(struct audit_log *log, yyjson_val *json)
{
    yyjson_val *items = json_member(json, SLICE("items"));
    log->is_list = slice_equal(json_text(json_member(json, SLICE("kind"))), SLICE("EventList")) &&
        slice_equal(json_text(json_member(json, SLICE("apiVersion"))), SLICE("audit.k8s.io/v1")) &&
        yyjson_is_arr(items) && yyjson_arr_iter_init(items, &log->items);
    return log->is_list;
}

/* Reads on until a line has an event, or a problem that is told. NULL: `result` says which, or the end. */
static yyjson_val *next_json(struct audit_log *log, enum audit_result *result, struct error *error)
{
    struct line line;
    *result = AUDIT_ERROR;
    while (!log->has_ended) {
        yyjson_val *item = log->is_list ? yyjson_arr_iter_next(&log->items) : NULL;
        if (item)
            return item;
        log->is_list = false;
        enum line_result read = line_reader_next(log->lines, &line, error);
        if (read == LINE_END) {
            *result = end(log, error);
            return NULL;
        }
        log->line = line.number;
        if (read == LINE_UNREADABLE) {
            log->has_ended = true;
            return NULL;
        }
        if (read == LINE_TOO_LONG) {
            error_set(error, "it is longer than %zu MiB", LINE_BYTES_MAX / 1024 / 1024);
            if (tells(log, error))
                return NULL;
        } else if (!is_blank(&line)) {
            yyjson_val *json = parse(log, &line, error);
            if (json && !begin_list(log, json))
                return json;
            if (!json && tells(log, error))
                return NULL;
        }
    }
    *result = AUDIT_END;
    return NULL;
}

enum audit_result audit_log_next(struct audit_log *log, struct audit_event *event, struct error *error)
{
    enum audit_result result;
    for (yyjson_val *json; (json = next_json(log, &result, error));) {
        enum audit_decode decoded = audit_decode(json, log->is_list, log->arena, event, error);
        if (decoded == AUDIT_DECODED)
            return AUDIT_EVENT;
        if (decoded == AUDIT_NO_EVENT && tells(log, error))
            return AUDIT_ERROR;
    }
    return result;
}

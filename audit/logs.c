#include "audit/logs.h"

#include "audit/log.h"
#include "audit/seen_events.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* A time as the API server writes it; the beginning of a longer one is enough to sort by. */
#define TIME_BYTES_MAX 32

struct source {
    const char *path;
    struct audit_log *log;      /* NULL: not opened yet, or read completely */
    char first[TIME_BYTES_MAX]; /* when its first request ended */
    size_t first_length;
    struct audit_event event;
    bool has_event;
    struct error error; /* why it cannot be opened */
};

struct audit_logs {
    struct source *sources; /* sorted by their first requests */
    size_t count;
    size_t opened; /* the first ones: the others are closed */
    struct seen_events seen;
    bool has_content;
};

static struct slice first_time(const struct source *source)
{
    return (struct slice){source->first, source->first_length};
}

static int compare_sources(const void *a, const void *b)
{
    return slice_compare(first_time(a), first_time(b));
}

/* Finds the time of its first event. A log that cannot be read twice stays open, with its first event. */
static void look_into(struct source *source)
{
    struct error ignored = {0};
    enum audit_result result = AUDIT_END;
    source->log = audit_log_open(source->path, &source->error);
    if (!source->log)
        return;
    bool is_file = audit_log_is_file(source->log);
    while (is_file && (result = audit_log_next(source->log, &source->event, &ignored)) == AUDIT_ERROR)
        ignored = (struct error){0};
    if (result == AUDIT_EVENT) {
        struct slice time = slice_until(source->event.ended, TIME_BYTES_MAX);
        memcpy(source->first, time.bytes ? time.bytes : "", time.length);
        source->first_length = time.length;
    }
    /* A log that was reordered stays open, with its first event. */
    source->has_event = is_file && result == AUDIT_EVENT && !audit_log_is_file(source->log);
    if (!is_file || source->has_event)
        return;
    audit_log_close(source->log);
    source->log = NULL;
}

struct audit_logs *audit_logs_open(const char *const *paths, size_t count)
{
    struct audit_logs *logs = calloc(1, sizeof(*logs));
    if (!logs)
        return NULL;
    logs->sources = calloc(count ? count : 1, sizeof(*logs->sources));
    if (!logs->sources || getentropy(&logs->seen.seed, sizeof(logs->seen.seed)) < 0) {
        audit_logs_close(logs);
        return NULL;
    }
    logs->count = count;
    for (size_t i = 0; i < count; i++) {
        logs->sources[i].path = paths[i];
        look_into(&logs->sources[i]);
    }
    qsort(logs->sources, count, sizeof(*logs->sources), compare_sources);
    return logs;
}

bool audit_logs_have_content(const struct audit_logs *logs)
{
    return logs->has_content;
}

void audit_logs_close(struct audit_logs *logs)
{
    if (!logs)
        return;
    for (size_t i = 0; i < logs->count; i++)
        audit_log_close(logs->sources[i].log);
    free(logs->sources);
    free(logs);
}

static void close_source(struct audit_logs *logs, struct source *source)
{
    logs->has_content |= audit_log_has_content(source->log);
    audit_log_close(source->log);
    source->log = NULL;
    source->has_event = false;
}

/* Reads the next event, unless one is ready. Closes a log at its end. */
static enum audit_result advance(struct audit_logs *logs, struct source *source, struct error *error)
{
    while (source->log && !source->has_event) {
        enum audit_result result = audit_log_next(source->log, &source->event, error);
        source->has_event = result == AUDIT_EVENT;
        if (result == AUDIT_ERROR)
            return AUDIT_ERROR;
        if (result == AUDIT_END)
            close_source(logs, source);
    }
    return source->has_event ? AUDIT_EVENT : AUDIT_END;
}

/* The open log whose next request ended first. */
static enum audit_result earliest(
    struct audit_logs *logs, struct source **found, struct audit_entry *entry, struct error *error)
{
    *found = NULL;
    for (size_t i = 0; i < logs->opened; i++) {
        struct source *source = &logs->sources[i];
        entry->path = source->path;
        enum audit_result result = advance(logs, source, error);
        if (result == AUDIT_ERROR)
            return AUDIT_ERROR;
        if (result == AUDIT_EVENT &&
            (!*found || slice_compare(source->event.ended, (*found)->event.ended) < 0))
            *found = source;
    }
    return *found ? AUDIT_EVENT : AUDIT_END;
}

/* Whether the next log begins before that event. */
static bool is_next_due(const struct audit_logs *logs, const struct source *found)
{
    return logs->opened < logs->count &&
        (!found || slice_compare(first_time(&logs->sources[logs->opened]), found->event.ended) <= 0);
}

static enum audit_result open_next(struct audit_logs *logs, struct audit_entry *entry, struct error *error)
{
    struct source *source = &logs->sources[logs->opened++];
    entry->path = source->path;
    if (!source->log && !source->error.message[0])
        source->log = audit_log_open(source->path, &source->error);
    if (source->log)
        return AUDIT_EVENT;
    *error = source->error;
    return AUDIT_ERROR;
}

enum audit_result audit_logs_next(struct audit_logs *logs, struct audit_entry *entry, struct error *error)
{
    struct source *found = NULL;
    enum audit_result result;
    do {
        result = earliest(logs, &found, entry, error);
        while (result != AUDIT_ERROR && is_next_due(logs, found)) {
            result = open_next(logs, entry, error);
            if (result == AUDIT_EVENT)
                result = earliest(logs, &found, entry, error);
        }
        if (result != AUDIT_EVENT)
            return result;
        found->has_event = false;
    } while (seen_events_add(&logs->seen, &found->event));
    entry->path = found->path;
    entry->event = found->event;
    return AUDIT_EVENT;
}

/*
 * log.h: the server's log, one line at a time, on standard error.
 *
 * A line is built in an arena and written with one call. A loop never waits for the reader of the log: a line
 * that cannot be written at once is dropped and counted, and the next line reports how many were dropped.
 * Untrusted text is made printable and cut.
 *
 *     struct log_line line = log_start(log, arena, LOG_INFO, "policy reloaded");
 *     log_add(&line, "policy", slice_of(policy->hash));
 *     log_end(&line);
 */
#ifndef APPLYGUARD_SYSTEM_LOG_H
#define APPLYGUARD_SYSTEM_LOG_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The limit of one value, in bytes of the line between its quotes. Every name that Kubernetes accepts fits,
 * except the longest service accounts, and a whole line stays below PIPE_BUF, so that lines of several
 * threads never mix.
 */
#define LOG_VALUE_BYTES_MAX ((size_t)256)

enum log_format { LOG_JSON, LOG_TEXT };

enum log_level { LOG_INFO, LOG_WARNING, LOG_ERROR };

struct log {
    enum log_format format;
    int fd;
    bool is_own;                  /* log_close closes it */
    bool may_block;               /* a write may block: poll before it */
    atomic_bool is_torn;          /* the last line was written only in part */
    atomic_uint_fast64_t dropped; /* since the last line that was written */
    atomic_uint_fast64_t dropped_ever;
};

struct log_line {
    struct log *log;
    struct text text;
};

/* Logs to the open file `fd`, which stays the caller's and must stay open until log_close. */
void log_open(struct log *log, int fd, enum log_format format);
void log_close(struct log *log);

/*
 * A line: log_start(), the values in addition to its message, log_end(). Keys are trusted, other texts need
 * not be. The line is dropped if memory runs out.
 */

struct log_line log_start(struct log *log, struct arena *arena, enum log_level level, const char *message);
void log_add(struct log_line *line, const char *key, struct slice value);
void log_add_string(struct log_line *line, const char *key, const char *value);
void log_add_number(struct log_line *line, const char *key, uint64_t value);
void log_add_true(struct log_line *line, const char *key);

/* JSON: an array of strings. Text: the items, separated by commas. The items must be trusted text. */
void log_add_list(struct log_line *line, const char *key, const char *const *items, size_t count);

/* Writes the line. Its memory stays in use until the arena is reset. */
void log_end(struct log_line *line);

/*
 * Whether a problem that was last reported at `*reported_at` (0: never) may be reported again; if so, sets
 * `*reported_at` to `now`. Times are in monotonic milliseconds.
 */
bool log_is_due(uint64_t *reported_at, uint64_t now);

#endif

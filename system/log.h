/*
 * log.h: what the server says, one line at a time, on standard error.
 *
 * A line is built in an arena and leaves with one write. A loop never waits for whoever reads the log: a line
 * that cannot be written at once is dropped and counted, and the next line that gets through says how many
 * were. Text that others chose is made printable and cut.
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
 * What of one value is kept: all of a name that Kubernetes accepts but the longest service account's, and so
 * little that a whole line stays below PIPE_BUF and is never torn by another.
 */
#define LOG_VALUE_BYTES_MAX ((size_t)256)

enum log_format { LOG_JSON, LOG_TEXT };

enum log_level { LOG_INFO, LOG_WARNING, LOG_ERROR };

struct log {
    enum log_format format;
    int fd;
    bool may_block;               /* ask whether there is room before writing */
    atomic_bool is_torn;          /* a line was written in part, and none since */
    atomic_uint_fast64_t dropped; /* since the last line that got through */
    atomic_uint_fast64_t dropped_ever;
};

struct log_line {
    struct log *log;
    struct text text;
};

/* Logs to the open file `fd`, which must stay open until log_close. */
void log_open(struct log *log, int fd, enum log_format format);
void log_close(struct log *log);

struct log_line log_start(struct log *log, struct arena *arena, enum log_level level, const char *message);
void log_add(struct log_line *line, const char *key, struct slice value);
void log_add_string(struct log_line *line, const char *key, const char *value);
void log_add_number(struct log_line *line, const char *key, uint64_t value);
void log_add_true(struct log_line *line, const char *key);

/* JSON: an array of strings. Text: the items with commas between. They are applyguard's own words, not
 * foreign text. */
void log_add_list(struct log_line *line, const char *key, const char *const *items, size_t count);

/* Writes the line. What was built stays in the arena until that is reset. */
void log_end(struct log_line *line);

/*
 * Whether trouble that was last reported at `*reported_at` (0: never) may be reported now; then that is
 * noted. Times in monotonic milliseconds.
 */
bool log_is_due(uint64_t *reported_at, uint64_t now);

#endif

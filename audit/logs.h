/*
 * logs.h: the requests of an API server's audit logs, in the order in which they ended.
 *
 * The logs may be those of several API servers, and rotated ones, in any order: they are merged by time. What
 * lies in memory is one line of each log of that time, so it does not grow with the logs. A request that two
 * of them tell of is told once.
 *
 *     struct audit_logs *logs = audit_logs_open(paths, count);
 *     while ((result = audit_logs_next(logs, &entry, &error)) != AUDIT_END) ...
 *     audit_logs_close(logs);
 */
#ifndef APPLYGUARD_AUDIT_LOGS_H
#define APPLYGUARD_AUDIT_LOGS_H

#include "audit/log.h"

#include <stdbool.h>
#include <stddef.h>

/* Lives until the next call of audit_logs_next or audit_logs_close. */
struct audit_entry {
    const char *path; /* of the log; of errors, too */
    struct audit_event event;
};

struct audit_logs;

/*
 * Files, plain or packed with gzip, or "-" for standard input. The paths must outlive it. NULL: there is no
 * memory. Which of them cannot be opened, audit_logs_next tells.
 */
struct audit_logs *audit_logs_open(const char *const *paths, size_t count);

/* Only requests that have ended. */
enum audit_result audit_logs_next(struct audit_logs *logs, struct audit_entry *entry, struct error *error);

/* Accepts NULL. */
void audit_logs_close(struct audit_logs *logs);

#endif

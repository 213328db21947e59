/*
 * logs.h: the requests of an API server's audit logs, in the order in which they ended.
 *
 * The logs may come from several API servers and be rotated, in any order: they are merged by time. Only one
 * line of each log of the same time is in memory, so memory does not grow with the logs. A request that two
 * logs contain is returned once.
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

/* Valid until the next call of audit_logs_next or audit_logs_close. */
struct audit_entry {
    const char *path; /* of the log; also for errors */
    struct audit_event event;
};

struct audit_logs;

/*
 * Opens files, plain or packed with gzip, or "-" for standard input. The paths must outlive it. Returns NULL
 * if memory runs out. audit_logs_next reports logs that cannot be opened.
 */
struct audit_logs *audit_logs_open(const char *const *paths, size_t count);

/* Returns only requests that have ended. */
enum audit_result audit_logs_next(struct audit_logs *logs, struct audit_entry *entry, struct error *error);

/* At the end: whether any of the logs holds more than white space. */
bool audit_logs_have_content(const struct audit_logs *logs);

/* Accepts NULL. */
void audit_logs_close(struct audit_logs *logs);

#endif

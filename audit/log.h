/*
 * log.h: the requests of one audit log, one at a time. To read logs, see logs.h.
 *
 * A line is an Event (log backend) or an EventList (webhook backend). Errors are reported with their line,
 * and reading continues behind it.
 */
#ifndef APPLYGUARD_AUDIT_LOG_H
#define APPLYGUARD_AUDIT_LOG_H

#include "audit/event.h"
#include "base/error.h"

#include <stdbool.h>

enum audit_result {
    AUDIT_EVENT, /* the event is filled */
    AUDIT_ERROR, /* `error` is filled, with a line if it concerns one; continue reading */
    AUDIT_END,
};

struct audit_log;

/* Opens a file, or standard input for "-". Returns NULL and sets the error. */
struct audit_log *audit_log_open(const char *path, struct error *error);

/* Whether the log is a file that can be opened again. */
bool audit_log_is_file(const struct audit_log *log);

/* The event is valid until the next call. */
enum audit_result audit_log_next(struct audit_log *log, struct audit_event *event, struct error *error);

/* Whether anything but white space was read up to now. */
bool audit_log_has_content(const struct audit_log *log);

/* Accepts NULL. */
void audit_log_close(struct audit_log *log);

#endif

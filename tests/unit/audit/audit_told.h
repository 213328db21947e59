/*
 * audit_told.h: the requests of logs as a text, for tests.
 */
#ifndef APPLYGUARD_TESTS_UNIT_AUDIT_TOLD_H
#define APPLYGUARD_TESTS_UNIT_AUDIT_TOLD_H

#include "audit/logs.h"

#include <stdio.h>
#include <string.h>

/* The users of the requests, and the errors with their lines, each behind a space, into `told`. */
static inline void audit_tell(const char *const *paths, size_t count, char *told, size_t size)
{
    struct audit_entry entry;
    struct error error = {0};
    enum audit_result result;
    struct audit_logs *logs = audit_logs_open(paths, count);
    told[0] = '\0';
    while (logs && (result = audit_logs_next(logs, &entry, &error)) != AUDIT_END) {
        size_t length = strlen(told);
        if (result == AUDIT_EVENT)
            snprintf(
                told + length, size - length, " %.*s", (int)entry.event.user.length, entry.event.user.bytes);
        else
            snprintf(told + length, size - length, " %u:%s", error.line, error.message);
    }
    audit_logs_close(logs);
}

#endif

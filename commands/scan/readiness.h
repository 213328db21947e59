/*
 * readiness.h: how ready an object is for server-side apply, and what it still needs. Private to
 * commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_READINESS_H
#define APPLYGUARD_COMMANDS_SCAN_READINESS_H

#include "policy/verdict/verdict.h"

enum scan_readiness {
    SCAN_NOT_APPLIED, /* no tool applies the object */
    SCAN_READY,       /* it is applied server-side */
    SCAN_MIGRATE,     /* an applier owns fields by Update */
    SCAN_STUCK,       /* it has fields that no apply removes */
    SCAN_READINESS_COUNT
};

/* An object that is not ready. */
struct scan_task {
    struct slice object; /* Deployment.apps shop/web */
    struct slice what;   /* the command, or the fields; printable */
};

enum scan_readiness scan_readiness_of(const struct verdict *verdict);

/* "ready", "migrate", "stuck"; NULL for an object that no tool applies. */
const char *scan_readiness_name(enum scan_readiness readiness);

/*
 * The command that migrates the object, or the fields in which it is stuck; in the review's arena. `bytes` is
 * NULL if memory runs out.
 */
struct slice scan_readiness_task(const struct verdict *verdict, enum scan_readiness readiness);

#endif

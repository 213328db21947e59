/*
 * resources.h: plans the number of threads and connections within the limits of CPU, files and memory.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_RESOURCES_H
#define APPLYGUARD_WEBHOOK_SERVER_RESOURCES_H

#include "base/error.h"
#include "webhook/http/budget.h"
#include "webhook/server/settings.h"

#include <stdbool.h>

struct resources {
    size_t threads;
    size_t connections;
    bool is_limit_unknown;  /* there may be a memory limit of the container, but it cannot be read */
    struct error too_small; /* why the container's memory limit cannot be kept; empty if it can, or if the
                               container has no limit */
};

/*
 * Fills `resources` and `budget`, and raises the limit of open files as far as possible. Returns -1 if the
 * settings need more files than possible, or more memory than their own limit.
 */
int resources_plan(
    const struct settings *settings, struct resources *resources, struct budget *budget, struct error *error);

#endif

/*
 * resources.h: how many threads and connections there can be, so that processors, files and memory go round.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_RESOURCES_H
#define APPLYGUARD_WEBHOOK_SERVER_RESOURCES_H

#include "base/error.h"
#include "webhook/http/budget.h"
#include "webhook/server/settings.h"

struct resources {
    size_t threads;
    size_t connections;
    struct error
        too_small; /* why the container's limit of memory is not kept; empty if it is, or there is none */
};

/*
 * Fills both in, and raises the limit of open files as far as it goes. -1 if the settings want more than
 * there is of files, or of memory that they name.
 */
int resources_plan(
    const struct settings *settings, struct resources *resources, struct budget *budget, struct error *error);

#endif

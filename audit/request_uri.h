/* request_uri.h: the options of a write, from the URI of its request. Private to this component. */
#ifndef APPLYGUARD_AUDIT_REQUEST_URI_H
#define APPLYGUARD_AUDIT_REQUEST_URI_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>

struct request_options {
    struct slice manager; /* fieldManager; empty: none */
    bool has_force;       /* force is given, as true or as false */
    bool is_forced;
    bool is_dry_run;
};

/*
 * If a name is repeated, the first one counts, as in the API server. The result points into `uri` or the
 * arena.
 */
struct request_options request_options_read(struct slice uri, struct arena *arena);

#endif

/*
 * wrapping.h: what cloud providers wrap around an event. Private to audit/.
 *
 * CloudWatch Logs (EKS) and Azure Monitor (AKS) have the event as text, which may be cut. Cloud Logging (GKE)
 * has entries of its own instead of events: see gke.h.
 */
#ifndef APPLYGUARD_AUDIT_WRAPPING_H
#define APPLYGUARD_AUDIT_WRAPPING_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

struct wrapped_event {
    yyjson_val *json;  /* NULL: the record holds something else, such as another log */
    struct slice time; /* when it ended, as the wrapping has it, in the form of the API server */
    bool is_cut;       /* only the members up to somewhere are there */
};

enum wrapping {
    WRAPPING_NONE,  /* it is no record of one of these */
    WRAPPING_EVENT, /* `event` is filled */
    WRAPPING_ENTRY, /* an entry of Cloud Logging */
};

/* A time with more or fewer digits behind the second, as the API server writes it. */
struct slice audit_time_to_microseconds(struct slice time, struct arena *arena);

enum wrapping wrapping_read(yyjson_val *record, struct arena *arena, struct wrapped_event *event);

#endif

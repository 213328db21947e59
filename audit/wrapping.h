/*
 * wrapping.h: the records in which cloud providers wrap events. Private to this component.
 *
 * CloudWatch Logs (EKS) and Azure Monitor (AKS) contain the event as text, which may be cut. Cloud Logging
 * (GKE) has its own entries instead of events: see gke.h.
 */
#ifndef APPLYGUARD_AUDIT_WRAPPING_H
#define APPLYGUARD_AUDIT_WRAPPING_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

struct wrapped_event {
    yyjson_val *json;  /* NULL: the record contains something else, such as another log */
    struct slice time; /* when it ended according to the wrapping, in the form of the API server */
    bool is_cut;       /* members after a cut are missing */
};

enum wrapping {
    WRAPPING_NONE,  /* the record is of another form */
    WRAPPING_EVENT, /* `event` is filled */
    WRAPPING_ENTRY, /* an entry of Cloud Logging */
};

/* A time with any number of digits behind the second, in the form of the API server. */
struct slice audit_time_to_microseconds(struct slice time, struct arena *arena);

enum wrapping wrapping_read(yyjson_val *record, struct arena *arena, struct wrapped_event *event);

/*
 * A record as JSON, of the text of an event and the time that may stand before it on its line: CloudWatch
 * Logs writes such lines to S3. NULL bytes if the line does not begin with a time, or memory runs out.
 */
struct slice wrapping_of_line(struct slice line, struct arena *arena);

/* The same for the text alone. */
struct slice wrapping_of_text(struct slice text, struct arena *arena);

#endif

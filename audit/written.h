/*
 * written.h: which entries of managedFields a write has written.
 */
#ifndef APPLYGUARD_AUDIT_WRITTEN_H
#define APPLYGUARD_AUDIT_WRITTEN_H

#include "audit/event.h"

#include <stdbool.h>

struct audit_owner {
    struct slice manager;
    struct slice subresource;
    bool is_apply;
};

/*
 * How many entries of the answer are new, newer or larger than before, but for those that the API server
 * makes beside the writer's; NULL: there was no object before. `*owner` is the first of them. More than
 * anybody writes if there are too many to compare.
 */
size_t audit_written(const struct audit_event *event, yyjson_val *before, struct audit_owner *owner);

/*
 * Whether entries lose fields that the writer did not get, although nothing of the object is gone: a write
 * takes fields from others only by setting or removing them. For objects of which audit_written can compare
 * the entries.
 */
bool audit_loses_more(const struct audit_event *event, yyjson_val *before);

/* Whether a request replaces managedFields, as moves of ownership do. Then its entries say nothing of the
 * writer. */
bool audit_rewrites_owners(const struct audit_event *event);

/* Whether a JSON patch has an operation at or below a path, or another body the member. */
bool audit_touches(yyjson_val *request, struct slice path, yyjson_val *member);

#endif

/* written.h: which entries of managedFields a write has written. */
#ifndef APPLYGUARD_AUDIT_WRITTEN_H
#define APPLYGUARD_AUDIT_WRITTEN_H

#include "audit/event.h"

#include <stdbool.h>

struct audit_owner {
    struct slice manager;
    struct slice subresource;
    struct slice time;
    bool is_apply;
};

/* Whether a list of entries has the very same one, as most do at the same place. */
bool audit_has_same_entry(yyjson_val *list, yyjson_val *entry);

/*
 * The number of entries of the response that are new, newer or larger than before, except for entries that
 * the API server creates in addition to the writer's; NULL: the object did not exist. `*owner` is the first
 * of them. Returns a larger number than any write has if there are too many to compare.
 */
size_t audit_written(const struct audit_event *event, yyjson_val *before, struct audit_owner *owner);

/*
 * Whether entries lose fields that the writer did not get, although the object still has them: a write takes
 * fields from others only by setting or removing them. A server-side apply removes no field that others own.
 * For objects whose entries audit_written can compare.
 */
bool audit_loses_more(const struct audit_event *event, yyjson_val *before);

/*
 * Whether a request replaces managedFields, as moves of ownership do. Then its entries do not show the
 * writer.
 */
bool audit_rewrites_owners(const struct audit_event *event);

/* Whether a JSON patch has an operation at or below a path, or another body has the member. */
bool audit_touches(yyjson_val *request, struct slice path, yyjson_val *member);

#endif

/* written.h: which entries of managedFields a write has written. */
#ifndef APPLYGUARD_AUDIT_WRITTEN_H
#define APPLYGUARD_AUDIT_WRITTEN_H

#include "audit/entries.h"
#include "audit/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A larger number than any write has. */
#define AUDIT_WRITTEN_UNKNOWN SIZE_MAX

/*
 * The number of entries of the response that are new, newer or larger than before, except for entries that
 * the API server creates in addition to the writer's. `*first` is the first of them.
 */
size_t audit_written(const struct audit_entries *entries, const struct audit_entry **first);

/*
 * Whether entries lose fields that the writer did not get, although the object still has them: a write takes
 * fields from others only by setting or removing them. A server-side apply removes no field that others own.
 */
bool audit_loses_more(
    const struct audit_event *event, yyjson_val *before, const struct audit_entries *entries,
    struct arena *arena);

/*
 * Whether a request replaces managedFields, as moves of ownership do. Then its entries do not show the
 * writer.
 */
bool audit_rewrites_owners(const struct audit_event *event);

/* Whether a JSON patch has an operation at or below a path, or another body has the member. */
bool audit_touches(yyjson_val *request, struct slice path, yyjson_val *member);

#endif

/*
 * moved.h: what the API server never does: fields that change their owner although their value stays, and new
 * versions without a change. Private to this component.
 */
#ifndef APPLYGUARD_AUDIT_MOVED_H
#define APPLYGUARD_AUDIT_MOVED_H

#include "audit/entries.h"
#include "audit/event.h"

#include <stdbool.h>

/*
 * Whether an entry of managedFields loses a field whose value is the same before and after, or the writer's
 * Update entry gets one, or all entries were removed in between. The API server does that only for a value
 * that changes, so another write came between. Call it for a request that does not write managedFields
 * itself. Returns false if memory runs out.
 */
bool audit_moves_unchanged(
    const struct audit_event *event, yyjson_val *before, const struct audit_entries *entries,
    struct arena *arena);

/*
 * Whether the response is the object before, except for its version and the times of its entries: such a
 * write makes no version, so another write came between, and this one took it back. Returns false if memory
 * runs out.
 */
bool audit_changes_nothing(
    const struct audit_event *event, yyjson_val *before, const struct audit_entries *entries,
    struct arena *arena);

#endif

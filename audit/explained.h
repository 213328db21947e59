/* explained.h: whether a request explains how its object changed. Private to this component. */
#ifndef APPLYGUARD_AUDIT_EXPLAINED_H
#define APPLYGUARD_AUDIT_EXPLAINED_H

#include "audit/event.h"

#include <stdbool.h>

/*
 * Whether the response to a patch differs from the object before in a part that the patch does not name. Such
 * a change belongs to a write between the two. Defaults that the API server sets, and changes by a mutating
 * webhook of the event, do not count. Returns false for other requests, and if memory runs out.
 */
bool audit_has_unexplained_change(const struct audit_event *event, yyjson_val *before, struct arena *arena);

/*
 * Whether the request replaces so much that it may hide a write before it: an update, or a JSON patch that
 * replaces or removes a whole map or list.
 */
bool audit_may_hide_write(const struct audit_event *event, yyjson_val *before);

#endif

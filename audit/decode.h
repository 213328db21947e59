/* decode.h: decodes an event. Private to this component. */
#ifndef APPLYGUARD_AUDIT_DECODE_H
#define APPLYGUARD_AUDIT_DECODE_H

#include "audit/event.h"

/*
 * `json` is an Event of audit.k8s.io/v1, an item of an EventList, whose kind covers all its items, or a
 * record that contains an event (wrapping.h, gke.h). The event points into it and into the arena.
 */
enum audit_decode audit_decode(
    yyjson_val *json, bool is_item, struct arena *arena, struct audit_event *event, struct error *error);

#endif

/* objects_signs.h: signs that the log lacks a write between two responses. Private to this component. */
#ifndef APPLYGUARD_AUDIT_OBJECTS_SIGNS_H
#define APPLYGUARD_AUDIT_OBJECTS_SIGNS_H

#include "audit/event.h"

#include <stdbool.h>
#include <stdint.h>

/* The version of the object that a request expects. */
enum expected_version {
    EXPECTED_ANY,  /* any version */
    EXPECTED_THIS, /* the API server would have refused any other: no write came between */
    EXPECTED_OTHER,
};

enum expected_version expected_version_of(const struct audit_event *event, uint64_t known);

/*
 * Whether the response contains a change that this write to the former object cannot have made. `left` is the
 * time when the write that left the former object ended.
 */
bool shows_other_write(
    const struct audit_event *event, yyjson_val *before, struct slice left, struct arena *arena);

#endif

/*
 * objects_signs.h: what shows that the log lacks a write between two answers. Private to audit/.
 */
#ifndef APPLYGUARD_AUDIT_OBJECTS_SIGNS_H
#define APPLYGUARD_AUDIT_OBJECTS_SIGNS_H

#include "audit/event.h"

#include <stdbool.h>
#include <stdint.h>

/* metadata.resourceVersion as a number. 0: there is none. */
uint64_t object_version_of(yyjson_val *object);

/* What a request expects the object's version to be. */
enum expected_version {
    EXPECTED_ANY,  /* it expects none */
    EXPECTED_THIS, /* the API server would have refused any other: nothing was written between */
    EXPECTED_OTHER,
};

enum expected_version expected_version_of(const struct audit_event *event, uint64_t known);

/* Whether something in the answer to a write cannot come from that write, done to the object before. */
bool shows_other_write(const struct audit_event *event, yyjson_val *before, struct arena *arena);

#endif

/*
 * combinations.h: what the API server's validation refuses of fields that are each valid alone (kubernetes,
 * pkg/apis/{core,apps,batch,autoscaling,policy}/validation). Only what no default and no mutating webhook may
 * put right.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_H
#define APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/*
 * `field` is printable and lives in the arena. `sentence` says what is refused and what to do, without a full
 * stop.
 */
typedef void combination_visit(void *context, struct slice field, const char *sentence);

/* The spec that an object's manifest declares. */
struct declared_spec {
    struct slice group_kind; /* as in struct review */
    yyjson_val *spec;        /* may be NULL */
    bool is_partial;         /* the rest may be declared elsewhere: what the spec lacks does not count */
    bool gains_labels;       /* its pod template may still get the labels that its selector asks for */
};

/* Visits each combination in the spec. */
void combinations_find(
    const struct declared_spec *declared, struct arena *arena, combination_visit *visit, void *context);

#endif

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

/*
 * Visits each combination in the spec of an object, which may be NULL; group_kind as in struct review. What
 * the spec lacks counts only if it `is_whole`: else the rest may be declared elsewhere. If it `gains_labels`,
 * its pod template may yet get those that its selector asks for.
 */
void combinations_find(
    struct slice group_kind, yyjson_val *spec, bool is_whole, bool gains_labels, struct arena *arena,
    combination_visit *visit, void *context);

#endif

/*
 * combinations.h: what the API server's validation refuses of fields that are each valid alone (kubernetes,
 * pkg/apis/GROUP/validation): that exclude each other, that name what is not there, that are there twice, or
 * that are missing. Only what no default puts right.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_H
#define APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_H

#include "base/arena.h"
#include "policy/analysis/declared_spec.h"

/* Visits each combination in the object. */
void combinations_find(
    const struct declared_spec *declared, struct arena *arena, combination_visit *visit, void *context);

#endif

/*
 * absorption.h: appliers that make their own whatever certain managers add, and remove it when they next
 * apply.
 *
 * Flux and Timoni move the managedFields entries of kubectl to their own before they apply (fluxcd/pkg,
 * ssa/patch.go). What is not in their manifests is then theirs to remove, so what was added by hand goes.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ABSORPTION_H
#define APPLYGUARD_POLICY_ANALYSIS_ABSORPTION_H

#include "policy/review/review.h"

#include <stdbool.h>

/*
 * The entry of an applier that absorbs, on this side of the review. NULL: none does, or the object as it will
 * be tells it not to.
 */
const struct managed_fields_entry *absorber_of(
    const struct review *review, const struct managed_fields *side);

/* Whether it absorbs what this manager owns. */
bool absorber_takes(const struct managed_fields_entry *absorber, const struct manager *manager);

#endif

/*
 * absorption.h: appliers that take over what certain managers add, and remove it at their next apply.
 *
 * Before they apply, Flux, Flux Operator and Timoni move kubectl's managedFields entries into their own
 * (fluxcd/pkg, ssa/patch.go). They then own what was added by hand, and remove it because it is not in their
 * manifests.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ABSORPTION_H
#define APPLYGUARD_POLICY_ANALYSIS_ABSORPTION_H

#include "policy/fieldset/path.h"
#include "policy/review/review.h"

#include <stdbool.h>

enum absorber { ABSORBER_NONE, ABSORBER_FLUX, ABSORBER_FLUX_OPERATOR, ABSORBER_TIMONI };

/* Which of them has this manager name. */
enum absorber absorber_named(struct slice manager);

/*
 * The entry of an absorbing applier, on this side of the review. NULL if it does not exist, or if the new
 * object disables it.
 */
const struct managed_fields_entry *absorber_of(
    const struct review *review, const struct managed_fields *side);

/* Whether the new object asks the tool of this Apply entry to ignore it, also what the entry declares. */
bool absorber_ignores(const struct review *review, const struct managed_fields_entry *entry);

/* Whether a label or annotation asks the tool to ignore the object, or the fields that others add to it. */
bool absorber_is_option(enum tool tool, struct slice key, struct slice value);

/* Whether the field is an annotation that asks a controller for something once, such as requestedAt. */
bool absorber_is_request(const struct path *path);

/* Whether the absorber takes over the fields of this manager. */
bool absorber_takes(const struct managed_fields_entry *absorber, const struct manager *manager);

#endif

/*
 * suspension.h: people who suspend and resume objects of Flux with its command line.
 *
 * flux suspend stops a rollout that goes wrong, so it is never denied: where Flux itself declares the field,
 * it undoes the change when it next reconciles the parent.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_SUSPENSION_H
#define APPLYGUARD_POLICY_ANALYSIS_SUSPENSION_H

#include "policy/review/review.h"

#include <stdbool.h>

#define SUSPEND_PATH ".spec.suspend"

/* Whether the request suspends or resumes an object of Flux, by any means. */
bool suspends_flux(const struct review *review);

/* Whether the request is one of flux suspend or flux resume. */
bool is_of_flux_suspend(const struct review *review);

#endif

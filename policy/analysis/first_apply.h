/*
 * first_apply.h: what the second server-side apply removes from an object that had no managedFields.
 *
 * At the first one the API server gives all that was there to before-first-apply. Tools that take that entry
 * over then own fields that their manifests lack, and remove these when they apply again: kubectl in the same
 * command, Flux at its next reconcile. After a migration from client-side apply the same happens to what
 * `applyguard migrate` lists as re-defaulted.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_FIRST_APPLY_H
#define APPLYGUARD_POLICY_ANALYSIS_FIRST_APPLY_H

#include "policy/fieldset/fields.h"
#include "policy/review/review.h"
#include "policy/verdict/finding_fields.h"

#include <stdbool.h>

struct first_apply {
    struct finding_fields declared;   /* that the last-applied annotation declared */
    struct finding_fields undeclared; /* the others; values that may be defaults are left out */
    enum fields_result result;        /* FIELDS_OK: all fields were read */
};

/* Returns false if the request is not such an apply; then `found` is not set. */
bool first_apply_find(const struct review *review, struct first_apply *found);

#endif

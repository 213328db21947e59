/*
 * synthesized_review.h: the review of a request that changes one object into another.
 *
 * Both objects are complete: nothing is merged or defaulted. Only the ownership afterwards is computed, as
 * structured-merge-diff does it for given objects: an Apply owns the fields that it declares, an Update the
 * fields that it changes, and other managers keep fields that neither changed nor were removed.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_SYNTHESIZED_REVIEW_H
#define APPLYGUARD_COMMANDS_POLICYTEST_SYNTHESIZED_REVIEW_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/policytest/test_case.h"
#include "manifest/manifest.h"
#include "policy/review/review.h"

#include <stdint.h>

/* The limit of managedFields entries of an object: API servers keep far fewer. */
#define SYNTHESIZED_ENTRIES_MAX 1000

struct made_request {
    const struct test_case *each;
    const struct manifest_object *before; /* NULL: the request creates the object */
    const struct manifest_object *after;
    int64_t now; /* seconds since 1970 UTC */
};

/*
 * Returns the review, in memory of the arena. It points into the test case, but not into the objects. Returns
 * NULL and sets the error, with its place in the test's file, if the request is impossible or memory runs
 * out.
 */
const struct review *synthesized_review(
    const struct made_request *request, struct arena *arena, struct error *error);

#endif

/*
 * made_review.h: the review of a request that changes one object into another.
 *
 * Both objects are whole: nothing is merged, and nothing gets a default. What is made is who owns which field
 * afterwards, as structured-merge-diff does it for given objects: an Apply owns what it declares, an Update
 * what it changes, everybody else keeps what neither changed nor went.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_MADE_REVIEW_H
#define APPLYGUARD_COMMANDS_POLICYTEST_MADE_REVIEW_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/policytest/test_case.h"
#include "manifest/manifest.h"
#include "policy/review/review.h"

#include <stdint.h>

/* The limit of managedFields entries of an object: no API server keeps nearly as many. */
#define MADE_ENTRIES_MAX 1000

struct made_request {
    const struct test_case *each;
    const struct manifest_object *before; /* NULL: the request creates the object */
    const struct manifest_object *after;
    int64_t now; /* seconds since 1970 UTC */
};

/*
 * The review, in memory of the arena. It points into the test case, but not into the objects. NULL and an
 * error, with its place in the test's file, if the request is impossible or there is no memory.
 */
const struct review *made_review(
    const struct made_request *request, struct arena *arena, struct error *error);

#endif

/* review.h: the review that the API server would send before it stores an apply. */
#ifndef APPLYGUARD_APPLY_REVIEW_H
#define APPLYGUARD_APPLY_REVIEW_H

#include "apply/outcome.h"
#include "apply/question.h"

struct reviewed {
    const struct attempt *attempt;
    const struct outcome *outcome;
    const struct manifest_object *manifest;
    struct slice namespace;
    struct slice user;
    struct slice_list groups;
    int64_t now;
};

/* It points into the attempt and the outcome. Returns NULL and sets the error if memory runs out. */
const struct review *review_of_apply(
    const struct reviewed *reviewed, struct arena *arena, struct error *error);

#endif

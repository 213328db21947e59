/*
 * review.h: the AdmissionReview that the API server would send of an apply. Private to preview/.
 */
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

/* As JSON. NULL bytes if there is no memory. */
struct slice review_of_apply(const struct reviewed *reviewed, struct arena *arena);

#endif

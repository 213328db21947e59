/*
 * review_write.h: writes the AdmissionReview of a request that no API server sent, so that what is not on its
 * way to a cluster is judged by the same code. It has the members that review_decode.h reads.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_WRITE_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_WRITE_H

#include "base/slice.h"
#include "base/text.h"
#include "policy/review/review.h"

/* What a request says beside its objects. What is empty is not known. */
struct review_head {
    const char *uid;
    enum operation operation;
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice kind;
    struct slice namespace;
    struct slice name;
    struct slice username;
    struct slice_list groups; /* of the user */
    struct slice field_manager;
};

/* Begins a review. Next the caller writes the JSON of what follows each of review_write_object and _old. */
void review_write_head(struct text *text, const struct review_head *head);
void review_write_object(struct text *text);
void review_write_old_object(struct text *text);

/* Ends it. */
void review_write_end(struct text *text);

#endif

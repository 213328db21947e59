/*
 * review_write.h: writes the AdmissionReview of a request that no API server sent, so that what is not on its
 * way to a cluster is judged by the same code. It has the members that review_decode.h reads.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_WRITE_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_WRITE_H

#include "base/slice.h"
#include "base/text.h"
#include "policy/review/review_from_objects.h"

/*
 * Begins a review. The caller then writes the JSON of each object behind review_write_object and
 * review_write_old.
 */
void review_write_head(struct text *text, const struct review_head *head);
void review_write_object(struct text *text);
void review_write_old_object(struct text *text);

/* Ends it. */
void review_write_end(struct text *text);

#endif

/*
 * review_decode.h: decodes the bytes of an AdmissionReview.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_DECODE_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_DECODE_H

#include "base/error.h"
#include "policy/review/review.h"

enum review_result { REVIEW_OK = 0, REVIEW_UNREADABLE = -1, REVIEW_OUT_OF_MEMORY = -2 };

/*
 * Decodes a review and reads who owns the fields of both objects, for review_classify. Returns
 * REVIEW_UNREADABLE and fills `error` only if no answer with the right uid is possible; problems further
 * inside are recorded as unjudged. `flags` are passed to json_read: without YYJSON_READ_INSITU, `body` need
 * not outlive the call.
 */
enum review_result review_decode(
    struct slice body, yyjson_read_flag flags, struct arena *arena, const struct review **review,
    struct error *error);

#endif

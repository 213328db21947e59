/*
 * review_decode.h: from the bytes of an AdmissionReview to the review.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_DECODE_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_DECODE_H

#include "base/error.h"
#include "policy/review/review.h"

enum review_result { REVIEW_OK = 0, REVIEW_UNREADABLE = -1, REVIEW_OUT_OF_MEMORY = -2 };

/*
 * Decodes a review and reads what both objects say of ownership, with the policy's lines for classing
 * managers. REVIEW_UNREADABLE, with `error` filled, only where no answer with a right uid could be given;
 * what is wrong further inside is noted as unjudged. `flags` are json_read's: `body` need not outlive the
 * call, or it is parsed in place.
 */
enum review_result review_decode(
    struct slice body, yyjson_read_flag flags, const struct class_rule *lines, size_t line_count,
    struct arena *arena, struct review **review, struct error *error);

#endif

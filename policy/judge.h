/*
 * judge.h: the door of policy/: the bytes of an AdmissionReview in, a verdict out.
 *
 * The webhook, the command line, the tests, the benchmark and the fuzzers all come through here. Nothing is
 * kept between calls but what the caller lends for it; the clock is a parameter.
 */
#ifndef APPLYGUARD_POLICY_JUDGE_H
#define APPLYGUARD_POLICY_JUDGE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "policy/action.h"
#include "policy/analysis/takeover_history.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

#include <stdint.h>

/*
 * Loads a policy and collects all problems of the file, as far as it can be read: what is not YAML ends the
 * reading. Returns NULL if one of the problems is POLICY_BROKEN; the caller frees the policy with
 * policy_free.
 */
struct policy *policy_check(struct slice text, struct policy_problems *problems);

/*
 * Loads a policy from the text of a policy file. Returns NULL and fills `error` with the first thing
 * (line and column included) that cannot be understood. The caller frees it with policy_free. An empty text
 * is an error, not a default.
 */
struct policy *policy_load(struct slice text, struct error *error);

/* The embedded default, profile `baseline`. NULL only if there is no memory. */
struct policy *policy_default(void);

enum judge_result {
    JUDGE_OK = 0,
    JUDGE_UNREADABLE = -1,    /* not an AdmissionReview that can be answered: the sender's fault, HTTP 400 */
    JUDGE_OUT_OF_MEMORY = -2, /* try again: HTTP 503 */
};

struct judge_options {
    enum mode ceiling; /* of the webhook's path */
    int64_t now;       /* seconds since 1970 UTC, for overrides that expire and what is remembered */
    struct slice
        scaled; /* the object that a scale is about, as JSON; empty: the scale is not judged (scale.h) */
    struct takeover_history
        *takeover_history; /* the fields that changed hands lately; NULL: that is not judged */
    bool in_place; /* the body is parsed where it stands, with what json_read (json.h) asks for then */
};

/*
 * Judges one review. `body` is not changed and need not outlive the call, or it is parsed in place and must
 * outlive the verdict; the verdict and all else it points to live in `arena` until that is reset. On failure
 * `error` says why and `*verdict` is left alone.
 */
enum judge_result judge(
    const struct policy *policy, struct slice body, const struct judge_options *options, struct arena *arena,
    const struct verdict **verdict, struct error *error);

#endif

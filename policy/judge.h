/*
 * judge.h: the entry point of policy/: takes the bytes of an AdmissionReview and returns a verdict.
 *
 * The webhook, the command line, the tests, the benchmark and the fuzzers all call it. It keeps no state
 * between calls except in what the caller passes for that. The time is a parameter.
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
 * Loads a policy and collects all problems of the file, up to the first one that is not YAML. Returns NULL if
 * one of the problems is POLICY_BROKEN. The caller frees the policy with policy_free.
 */
struct policy *policy_check(struct slice text, struct policy_problems *problems);

/*
 * Loads a policy from the text of a policy file. Returns NULL and fills `error` with the first problem, with
 * line and column. The caller frees the policy with policy_free. An empty text is an error, not a default.
 */
struct policy *policy_load(struct slice text, struct error *error);

/* The profile without any change. NULL only if memory runs out. */
struct policy *policy_of_profile(enum profile profile);

/* The embedded default, profile `baseline`. NULL only if memory runs out. */
struct policy *policy_default(void);

enum judge_result {
    JUDGE_OK = 0,
    JUDGE_UNREADABLE = -1,    /* not an AdmissionReview: the sender's fault, HTTP 400 */
    JUDGE_OUT_OF_MEMORY = -2, /* try again: HTTP 503 */
};

/*
 * The memory that judging takes for each byte of a body, in addition to ARENA_KEEP_BYTES. Judging stops when
 * it would take more, or would leave too little of the arena for the answer: the findings until then stand,
 * and one of the rule `unjudged` says so. So no review fails again and again for what it holds.
 */
#define JUDGE_BYTES_PER_BYTE 24
#define JUDGE_ANSWER_BYTES ((size_t)512 * 1024)

struct document;
struct stored_object;

struct judge_options {
    enum mode ceiling;   /* of the webhook's path */
    int64_t now;         /* seconds since 1970 UTC, for expiring overrides and for takeover_history */
    struct slice scaled; /* the scaled object, as JSON; empty: a scale is not judged (scale.h) */
    struct takeover_history
        *takeover_history;           /* recent takeovers of fields; NULL: contested-field does not judge */
    const struct document *document; /* the manifest that the review would apply (document.h); NULL: absent */
    const struct stored_object *stored; /* the object as a cluster stores it, without a request: only the
                                         * rules that judge such objects are asked (stored_object.h); NULL: a
                                         * request
                                         */
    bool in_place;                      /* the body is parsed in place, as json_read (json.h) requires */
};

/*
 * Judges one review: decodes it, judges it and remembers which fields changed hands. `body` is not changed
 * and need not outlive the call, except with `in_place`: then it must outlive the verdict. The verdict and
 * everything it points to live in `arena` until its reset. On failure fills `error` and leaves `*verdict`
 * alone.
 */
enum judge_result judge(
    const struct policy *policy, struct slice body, const struct judge_options *options, struct arena *arena,
    const struct verdict **verdict, struct error *error);

/*
 * The three parts of it, for a review that is judged under several policies, or that no API server sent
 * (review_from_objects.h). `in_place` counts only for the first.
 */
enum judge_result judge_decode(
    struct slice body, const struct judge_options *options, struct arena *arena, const struct review **review,
    struct error *error);

/*
 * Does not change the review, and changes no takeover_history. The verdict lives in the review's arena.
 * JUDGE_OK or JUDGE_OUT_OF_MEMORY.
 */
enum judge_result judge_review(
    const struct policy *policy, const struct review *review, const struct judge_options *options,
    const struct verdict **verdict, struct error *error);

/* Notes in the takeover_history which fields change hands, if the request is allowed. */
void judge_remember(const struct verdict *verdict);

#endif

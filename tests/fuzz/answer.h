/*
 * answer.h: promises about every answer, to any request.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_ANSWER_H
#define APPLYGUARD_TESTS_FUZZ_ANSWER_H

#include "policy/judge.h"

/* That all answers go by, of hosts whose clock stands still. */
#define FUZZ_NOW 1800000000

/* Everything that can be set is set, so that the code behind it runs. Made once. */
const struct policy *policy_of_everything(void);

/* The request and the options of the judge. */
struct question {
    const struct policy *policy;
    struct judge_options options;
    struct slice body;
};

/* The answer; all empty where the review is refused. It lives in the arena. */
struct reply {
    const struct verdict *verdict;
    struct slice response;
};

/* Judges once, and checks all that is said. The body is not changed. */
struct reply ask(const struct question *question, struct arena *arena);

/* Judges the bytes of an AdmissionReview under several policies and ceilings. */
void check_answers(struct slice body);

#endif

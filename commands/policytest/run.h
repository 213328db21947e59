/*
 * run.h: runs the cases of a test, and says what came of each.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_RUN_H
#define APPLYGUARD_COMMANDS_POLICYTEST_RUN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "policy/config/config.h"

#include <stdint.h>

enum case_outcome { CASE_PASSED, CASE_FAILED, CASE_UNREADABLE };

/* One line of a difference. */
struct case_line {
    bool is_expected;     /* else it is what came */
    struct slice finding; /* JSON, in the form of the test's file: {"rule":…,"action":…}. Empty: `allowed` */
    struct slice message; /* of what came */
};

struct case_result {
    enum case_outcome outcome;
    struct slice name;
    unsigned line;
    bool allowed;
    bool allowed_differs; /* the case expects the opposite */
    const struct case_line *lines;
    size_t line_count;
    struct slice findings; /* a JSON array, as `review -o json` has it */
    struct error problem;  /* CASE_UNREADABLE: with its place in the test's file */
};

/* A problem in a file: of the test, or its policy. */
struct run_problem {
    const char *path;
    struct error error;
};

/* What came of the file of a test. Lives in the arena of the run. */
struct policy_test_run {
    const char *path;
    const char *policy_path;
    const struct case_result *results;
    size_t result_count;
    struct run_problem *problems; /* if there are any, no case was run */
    size_t problem_count;
    size_t more_problems; /* that did not fit */
};

struct run_options {
    const struct policy *policy; /* in place of what tests name; NULL: theirs */
    const char *policy_path;
    int64_t now; /* of cases that have no date: seconds since 1970 UTC */
};

/*
 * Runs the test that `text` is. What it names is found beside `path`; if that has no folder, such as "-", in
 * the current one. NULL if there is no memory. `path` and `text` must live as long as the arena.
 */
const struct policy_test_run *policy_test_run(
    const char *path, struct slice text, const struct run_options *options, struct arena *arena);

#endif

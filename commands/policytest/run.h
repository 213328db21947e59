/* run.h: runs the cases of a test, and returns their results. */
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
    bool is_expected;     /* otherwise it is actual */
    struct slice finding; /* JSON, in the form of the test's file: {"rule":…,"action":…}. Empty: `allowed` */
    struct slice message; /* of the actual finding */
};

struct case_result {
    enum case_outcome outcome;
    struct slice name;
    unsigned line;
    bool allowed;
    bool allowed_differs; /* the case expects the opposite */
    const struct case_line *lines;
    size_t line_count;
    struct slice findings; /* a JSON array, as in `review -o json` */
    struct error problem;  /* CASE_UNREADABLE: with its place in the test's file */
};

/* A problem in a file: of the test, or in its policy. */
struct run_problem {
    const char *path;
    struct error error;
};

/* The results of a test's file. They live in the arena of the run. */
struct policy_test_run {
    const char *path;
    const char *policy_path;
    const struct case_result *results;
    size_t result_count;
    struct run_problem *problems; /* if there are any, no case was run */
    size_t problem_count;
    size_t more_problems; /* the number of further problems */
};

struct run_options {
    const struct policy *policy; /* replaces the policies that tests name; NULL: the tests' own */
    const char *policy_path;
    int64_t now; /* for cases without a date: seconds since 1970 UTC */
};

/*
 * Runs the test in `text`. Files that it names are relative to the directory of `path`; if `path` has none,
 * such as "-", to the current directory. Returns NULL if memory runs out. `path` and `text` must live as long
 * as the arena.
 */
const struct policy_test_run *policy_test_run(
    const char *path, struct slice text, const struct run_options *options, struct arena *arena);

#endif

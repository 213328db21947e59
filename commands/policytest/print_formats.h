/* print_formats.h: the formats of print.h, each in its own file. */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_PRINT_FORMATS_H
#define APPLYGUARD_COMMANDS_POLICYTEST_PRINT_FORMATS_H

#include "base/text.h"
#include "commands/policytest/run.h"

#include <stdbool.h>

void policy_test_append_run_text(struct text *text, const struct policy_test_run *run, bool colour);
void policy_test_append_run_junit(struct text *text, const struct policy_test_run *run);
void policy_test_append_run_json(struct text *text, const struct policy_test_run *run);

/* JUnit's testsuite for a file that could not be read. */
void policy_test_append_problem_junit(struct text *text, const char *path, const struct error *error);

/* "- {…}" and "+ {…}", one line each, after `indent`. */
void policy_test_append_difference(
    struct text *text, const struct case_result *result, const char *indent, bool colour);

#endif

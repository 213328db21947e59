/* junit.h: the elements of JUnit's XML that reports and tests of policies share. */
#ifndef APPLYGUARD_REPORT_JUNIT_H
#define APPLYGUARD_REPORT_JUNIT_H

#include "base/slice.h"
#include "base/text.h"

void junit_begin(struct text *text);
void junit_end(struct text *text);

/* Opens a testsuite, which the caller ends with JUNIT_SUITE_END. */
void junit_open_suite(struct text *text, struct slice name, size_t tests, size_t failures, size_t errors);

/* Opens a testcase of a file, which the caller ends with JUNIT_CASE_END. */
void junit_open_case(struct text *text, struct slice name, struct slice file);

/* The error of a testcase. */
void junit_append_error(struct text *text, struct slice message);

#define JUNIT_SUITE_END "</testsuite>\n"
#define JUNIT_CASE_END "</testcase>\n"

#endif

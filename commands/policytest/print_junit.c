/*
 * The format junit: a testsuite for each file, and a testcase for each case. The differences are the text of
 * its failure; an input that could not be read is an error.
 */
#include "base/split.h"
#include "base/terminal.h"
#include "commands/policytest/print_formats.h"
#include "report/junit.h"
#include "report/xml_text.h"

/* path:line:column: sentence */
static void append_error(struct text *text, const char *path, const struct error *error)
{
    struct text message = text_start(text->arena, 256);
    terminal_append_place(&message, slice_of(path), error->line, error->column, false);
    text_append_string(&message, error->message);
    junit_append_error(text, text_slice(&message));
}

static void append_failure(struct text *text, const struct case_result *result)
{
    struct text difference = text_start(text->arena, 512);
    policy_test_append_difference(&difference, result, "", false);
    struct slice rest = text_slice(&difference);
    text_append_string(
        text, "\n<failure type=\"difference\" message=\"the case no longer judges as expected\">");
    /* Line by line: a line break must not be escaped. */
    while (rest.length)
        text_append_all(text, as_escaped(xml_text_append, split_next(&rest, '\n')), "\n");
    text_append_string(text, "</failure>");
}

static void append_case(struct text *text, const char *path, const struct case_result *result)
{
    junit_open_case(text, result->name, slice_of(path));
    if (result->outcome == CASE_FAILED)
        append_failure(text, result);
    else if (result->outcome == CASE_UNREADABLE)
        append_error(text, path, &result->problem);
    text_append_string(text, JUNIT_CASE_END);
}

void policy_test_append_run_junit(struct text *text, const struct policy_test_run *run)
{
    size_t failures = 0, errors = run->problem_count;
    for (size_t i = 0; i < run->result_count; i++) {
        failures += run->results[i].outcome == CASE_FAILED;
        errors += run->results[i].outcome == CASE_UNREADABLE;
    }
    junit_open_suite(text, slice_of(run->path), run->result_count + run->problem_count, failures, errors);
    for (size_t i = 0; i < run->problem_count; i++) {
        junit_open_case(text, SLICE("read"), slice_of(run->path));
        append_error(text, run->problems[i].path, &run->problems[i].error);
        text_append_string(text, JUNIT_CASE_END);
    }
    for (size_t i = 0; i < run->result_count; i++)
        append_case(text, run->path, &run->results[i]);
    text_append_string(text, JUNIT_SUITE_END);
}

void policy_test_append_problem_junit(struct text *text, const char *path, const struct error *error)
{
    junit_open_suite(text, slice_of(path), 1, 0, 1);
    junit_open_case(text, SLICE("read"), slice_of(path));
    append_error(text, path, error);
    text_append_string(text, JUNIT_CASE_END JUNIT_SUITE_END);
}

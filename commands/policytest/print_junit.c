/*
 * The format junit: a testsuite for each file, and a testcase for each case. The differences are the text of
 * its failure; an input that could not be read is an error.
 */
#include "commands/policytest/print_formats.h"
#include "report/file_name.h"
#include "report/xml_text.h"

static void open_suite(struct text *text, const char *path, size_t tests, size_t failures, size_t errors)
{
    text_append_string(text, "<testsuite");
    xml_text_append_attribute(text, "name", slice_of(path));
    xml_text_append_number(text, "tests", tests);
    xml_text_append_number(text, "failures", failures);
    xml_text_append_number(text, "errors", errors);
    text_append_string(text, ">\n");
}

static void open_case(struct text *text, const char *path, struct slice name)
{
    text_append_string(text, "<testcase");
    xml_text_append_attribute(text, "name", name);
    xml_text_append_attribute(text, "classname", file_name_plain(slice_of(path)));
    text_append_string(text, ">");
}

/* path:line:column: sentence */
static void append_error(struct text *text, const char *path, const struct error *error)
{
    struct text message = text_start(text->arena, 256);
    text_append_string(&message, path);
    text_append_string(&message, ":");
    if (error->line) {
        text_append_number(&message, error->line);
        text_append_string(&message, ":");
        text_append_number(&message, error->column);
        text_append_string(&message, ":");
    }
    text_append_string(&message, " ");
    text_append_string(&message, error->message);
    text_append_string(text, "\n<error type=\"error\"");
    xml_text_append_attribute(text, "message", text_slice(&message));
    text_append_string(text, "/>");
}

static void append_failure(struct text *text, const struct case_result *result)
{
    struct text difference = text_start(text->arena, 512);
    append_difference(&difference, result, "", false);
    struct slice rest = text_slice(&difference);
    text_append_string(
        text, "\n<failure type=\"difference\" message=\"the case no longer judges as expected\">");
    while (rest.length) { /* line by line: a line break must not be escaped */
        size_t end = slice_find(rest, '\n');
        xml_text_append(text, slice_until(rest, end));
        text_append_string(text, "\n");
        rest = slice_from(rest, end + 1);
    }
    text_append_string(text, "</failure>");
}

static void append_case(struct text *text, const char *path, const struct case_result *result)
{
    open_case(text, path, result->name);
    if (result->outcome == CASE_FAILED)
        append_failure(text, result);
    else if (result->outcome == CASE_UNREADABLE)
        append_error(text, path, &result->problem);
    text_append_string(text, "</testcase>\n");
}

void append_run_junit(struct text *text, const struct policy_test_run *run)
{
    size_t failures = 0, errors = run->problem_count;
    for (size_t i = 0; i < run->result_count; i++) {
        failures += run->results[i].outcome == CASE_FAILED;
        errors += run->results[i].outcome == CASE_UNREADABLE;
    }
    open_suite(text, run->path, run->result_count + run->problem_count, failures, errors);
    for (size_t i = 0; i < run->problem_count; i++) {
        open_case(text, run->path, SLICE("read"));
        append_error(text, run->problems[i].path, &run->problems[i].error);
        text_append_string(text, "</testcase>\n");
    }
    for (size_t i = 0; i < run->result_count; i++)
        append_case(text, run->path, &run->results[i]);
    text_append_string(text, "</testsuite>\n");
}

void append_problem_junit(struct text *text, const char *path, const struct error *error)
{
    open_suite(text, path, 1, 0, 1);
    open_case(text, path, SLICE("read"));
    append_error(text, path, error);
    text_append_string(text, "</testcase>\n</testsuite>\n");
}

/*
 * The format json: a line for each case.
 */
#include "commands/policytest/print_formats.h"
#include "report/json_text.h"

static void append_lines(
    struct text *text, const char *key, const struct case_result *result, bool is_expected)
{
    const char *separator = "";
    json_text_append_key(text, key);
    text_append_string(text, "[");
    for (size_t i = 0; i < result->line_count; i++) {
        if (result->lines[i].is_expected != is_expected)
            continue;
        text_append_string(text, separator);
        text_append(text, result->lines[i].finding);
        separator = ",";
    }
    text_append_string(text, "]");
}

static void append_problem(struct text *text, const struct error *problem)
{
    struct text error = text_start(text->arena, 256);
    text_append_string(&error, "{");
    json_text_append_number(&error, "line", problem->line);
    json_text_append_number(&error, "column", problem->column);
    json_text_append_member(&error, "message", slice_of(problem->message));
    text_append_string(&error, "}");
    json_text_append_key(text, "error");
    text_append(text, text_slice(&error));
}

static void append_case(
    struct text *text, const struct policy_test_run *run, const struct case_result *result)
{
    static const char *const names[] = {
        [CASE_PASSED] = "pass", [CASE_FAILED] = "fail", [CASE_UNREADABLE] = "error"};
    struct text line = text_start(text->arena, 512);
    text_append_string(&line, "{");
    json_text_append_member(&line, "file", slice_of(run->path));
    json_text_append_number(&line, "line", result->line);
    json_text_append_member(&line, "name", result->name);
    json_text_append_member(&line, "policy", slice_of(run->policy_path));
    json_text_append_member(&line, "result", slice_of(names[result->outcome]));
    if (result->outcome == CASE_UNREADABLE) {
        append_problem(&line, &result->problem);
    } else {
        json_text_append_key(&line, "allowed");
        text_append_string(&line, result->allowed ? "true" : "false");
        append_lines(&line, "missing", result, true);
        append_lines(&line, "unexpected", result, false);
        json_text_append_key(&line, "findings");
        text_append(&line, result->findings);
    }
    text_append_string(&line, "}\n");
    text_append(text, text_slice(&line));
}

void append_run_json(struct text *text, const struct policy_test_run *run)
{
    for (size_t i = 0; i < run->result_count; i++)
        append_case(text, run, &run->results[i]);
}

/*
 * The format json: a line for each case.
 */
#include "base/json_append.h"
#include "commands/policytest/print_formats.h"

static void append_lines(
    struct text *text, const char *key, const struct case_result *result, bool is_expected)
{
    json_append_open(text, key, "[");
    for (size_t i = 0; i < result->line_count; i++) {
        if (result->lines[i].is_expected != is_expected)
            continue;
        json_append_comma(text);
        text_append(text, result->lines[i].finding);
    }
    text_append_string(text, "]");
}

static void append_problem(struct text *text, const struct error *problem)
{
    json_append_open(text, "error", "{");
    json_append_number_if_any(text, "line", problem->line);
    json_append_number_if_any(text, "column", problem->column);
    json_append_member_if_any(text, "message", slice_of(problem->message));
    text_append_string(text, "}");
}

static void append_case(
    struct text *text, const struct policy_test_run *run, const struct case_result *result)
{
    static const char *const names[] = {
        [CASE_PASSED] = "pass", [CASE_FAILED] = "fail", [CASE_UNREADABLE] = "error"};
    struct text line = text_start(text->arena, 512);
    text_append_string(&line, "{");
    json_append_member_if_any(&line, "file", slice_of(run->path));
    json_append_number_if_any(&line, "line", result->line);
    json_append_member_if_any(&line, "name", result->name);
    json_append_member_if_any(&line, "policy", slice_of(run->policy_path));
    json_append_member_if_any(&line, "result", slice_of(names[result->outcome]));
    if (result->outcome == CASE_UNREADABLE) {
        append_problem(&line, &result->problem);
    } else {
        json_append_bool(&line, "allowed", result->allowed);
        append_lines(&line, "missing", result, true);
        append_lines(&line, "unexpected", result, false);
        json_append_key(&line, "findings");
        text_append(&line, result->findings);
    }
    text_append_string(&line, "}\n");
    text_append(text, text_slice(&line));
}

void policy_test_append_run_json(struct text *text, const struct policy_test_run *run)
{
    for (size_t i = 0; i < run->result_count; i++)
        append_case(text, run, &run->results[i]);
}

/*
 * The format text, for people: a line for each file that passes, and the differences of each case that fails.
 */
#include "base/terminal.h"
#include "commands/policytest/print_formats.h"

/* The finding, or `allowed`, which has only one form. */
static void append_line(
    struct text *text, const char *indent, bool is_expected, struct slice line, bool colour)
{
    text_append_all(
        text, indent, colour ? (is_expected ? TERMINAL_DENY : TERMINAL_GOOD) : "", is_expected ? "- " : "+ ",
        as_terminal(line), colour ? TERMINAL_RESET : "", "\n");
}

void policy_test_append_difference(
    struct text *text, const struct case_result *result, const char *indent, bool colour)
{
    static const struct slice allowed = SLICE_LITERAL("allowed: true"),
                              denied = SLICE_LITERAL("allowed: false");
    if (result->allowed_differs) {
        append_line(text, indent, true, result->allowed ? denied : allowed, colour);
        append_line(text, indent, false, result->allowed ? allowed : denied, colour);
    }
    for (size_t i = 0; i < result->line_count; i++) {
        const struct case_line *line = &result->lines[i];
        append_line(text, indent, line->is_expected, line->finding, colour);
        if (line->is_expected)
            continue;
        text_append_all(text, indent, "  ", as_terminal(line->message), "\n");
    }
}

static void append_failure(struct text *text, const char *path, const struct case_result *result, bool colour)
{
    terminal_append_coloured(text, TERMINAL_DENY, "FAIL", colour);
    text_append_string(text, "  ");
    terminal_append_place(text, slice_of(path), result->line, 0, colour);
    text_append_all(text, as_terminal(result->name), "\n");
    policy_test_append_difference(text, result, "      ", colour);
}

void policy_test_append_run_text(struct text *text, const struct policy_test_run *run, bool colour)
{
    size_t passed = 0;
    for (size_t i = 0; i < run->result_count; i++) {
        passed += run->results[i].outcome == CASE_PASSED;
        if (run->results[i].outcome == CASE_FAILED)
            append_failure(text, run->path, &run->results[i], colour);
    }
    if (run->problem_count || passed != run->result_count)
        return;
    terminal_append_coloured(text, TERMINAL_GOOD, "ok", colour);
    text_append_all(
        text, "    ", as_terminal(slice_of(run->path)), " (", as_count(passed, "case)\n", "cases)\n"));
}

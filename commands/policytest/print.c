#include "commands/policytest/print.h"

#include "base/terminal.h"
#include "commands/policytest/print_formats.h"
#include "report/junit.h"

#include <errno.h>

/* If the reader has closed the pipe, nothing more is written, and that is not an error. */
static bool write_text(struct test_printer *printer, const struct text *text)
{
    struct slice built = text_slice(text);
    if (text->failed || arena_has_failed(text->arena))
        return false;
    if (built.length && !printer->is_closed &&
        fwrite(built.bytes, 1, built.length, printer->out) < built.length) {
        printer->is_closed = true;
        if (errno == EPIPE)
            clearerr(printer->out);
    }
    return true;
}

/* Prints FILE:LINE:COLUMN: error: SENTENCE, after flushing the other stream. */
static bool report(
    struct test_printer *printer, const char *path, const struct error *error, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    terminal_append_problem(
        &text, slice_of(path), error->line, error->column, TERMINAL_ERROR, slice_of(error->message),
        printer->colour && printer->format == OUTPUT_TEXT);
    printer->counts.problems++;
    fflush(printer->out);
    struct slice built = text_slice(&text);
    if (built.bytes)
        fwrite(built.bytes, 1, built.length, printer->err);
    return built.bytes;
}

static bool report_problems(
    struct test_printer *printer, const struct policy_test_run *run, struct arena *arena)
{
    bool is_whole = true;
    for (size_t i = 0; i < run->problem_count; i++)
        is_whole &= report(printer, run->problems[i].path, &run->problems[i].error, arena);
    if (run->more_problems)
        fprintf(
            printer->err, "and %zu more error%s\n", run->more_problems, run->more_problems == 1 ? "" : "s");
    for (size_t i = 0; i < run->result_count; i++)
        if (run->results[i].outcome == CASE_UNREADABLE)
            is_whole &= report(printer, run->path, &run->results[i].problem, arena);
    return is_whole;
}

bool print_tests_begin(struct test_printer *printer, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    if (printer->format == OUTPUT_JUNIT)
        junit_begin(&text);
    return write_text(printer, &text);
}

bool print_test_run(struct test_printer *printer, const struct policy_test_run *run, struct arena *arena)
{
    struct text text = text_start(arena, 1024);
    printer->counts.files++;
    for (size_t i = 0; i < run->result_count; i++) {
        printer->counts.passed += run->results[i].outcome == CASE_PASSED;
        printer->counts.failed += run->results[i].outcome == CASE_FAILED;
    }
    if (printer->format == OUTPUT_JUNIT)
        policy_test_append_run_junit(&text, run);
    else if (printer->format == OUTPUT_JSON)
        policy_test_append_run_json(&text, run);
    else
        policy_test_append_run_text(&text, run, printer->colour);
    return write_text(printer, &text) && report_problems(printer, run, arena);
}

bool print_test_problem(
    struct test_printer *printer, const char *path, const struct error *error, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    if (printer->format == OUTPUT_JUNIT)
        policy_test_append_problem_junit(&text, path, error);
    return write_text(printer, &text) && report(printer, path, error, arena);
}

static void append_summary(struct text *text, const struct test_counts *counts)
{
    text_append_all(
        text, as_count(counts->passed + counts->failed, "case", "cases"), " in ",
        as_count(counts->files, "file", "files"), ": ", counts->passed, " passed, ", counts->failed,
        " failed");
    if (counts->problems)
        text_append_all(text, "; ", as_count(counts->problems, "problem", "problems"));
    text_append_string(text, "\n");
}

bool print_tests_end(struct test_printer *printer, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    if (printer->format == OUTPUT_JUNIT)
        junit_end(&text);
    else if (printer->format == OUTPUT_TEXT)
        append_summary(&text, &printer->counts);
    return write_text(printer, &text);
}

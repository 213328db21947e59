#include "report/report.h"

#include "base/terminal.h"
#include "report/report_state.h"

#include <errno.h>
#include <stdlib.h>

static const struct report_writer *const writers[OUTPUT_FORMAT_COUNT] = {
    [OUTPUT_TEXT] = &report_text,         [OUTPUT_JSON] = &report_json,
    [OUTPUT_SARIF] = &report_sarif,       [OUTPUT_JUNIT] = &report_junit,
    [OUTPUT_GITHUB] = &report_github,     [OUTPUT_CODECLIMATE] = &report_codeclimate,
    [OUTPUT_MARKDOWN] = &report_markdown, [OUTPUT_HTML] = &report_html,
};

static void note_failed_write(struct report *report)
{
    if (errno != EPIPE)
        report->has_failed = true;
    report->is_closed = true;
}

/* An item that is incomplete, because memory ran out, is not written at all. */
static void write_text(struct report *report, const struct text *text)
{
    struct slice bytes = text_slice(text);
    if (!bytes.bytes)
        report->has_failed = true;
    else if (!report->is_closed && fwrite(bytes.bytes, 1, bytes.length, report->options.out) != bytes.length)
        note_failed_write(report);
    arena_reset(report->scratch);
}

static void release(struct report *report)
{
    arena_destroy(report->scratch);
    arena_destroy(report->file);
    arena_destroy(report->kept);
    free(report);
}

struct report *report_begin(const struct report_options *options)
{
    struct report *report = calloc(1, sizeof(*report));
    if (!report)
        return NULL;
    report->options = *options;
    report->writer = writers[options->format];
    report->scratch = arena_create();
    report->file = arena_create();
    report->kept = arena_create();
    if (report->scratch && report->file && report->kept)
        report->state = arena_allocate_array(report->kept, 1, report->writer->state_size + 1);
    if (!report->state) {
        release(report);
        return NULL;
    }
    if (report->writer->begin) {
        struct text text = text_start(report->scratch, 1024);
        report->writer->begin(report, &text);
        write_text(report, &text);
    }
    return report;
}

void report_in_order(struct report *report)
{
    report->is_in_order = true;
}

void report_add(struct report *report, const struct report_item *item)
{
    struct text text = text_start(report->scratch, 1024);
    report->writer->add(report, item, &text);
    write_text(report, &text);
}

/* Flushes `out` first, so that the problem comes after earlier output if both are the same terminal. */
static void print_problem(
    struct report *report, enum terminal_label label, const struct report_problem *problem)
{
    struct text text = text_start(report->scratch, 256);
    terminal_append_problem(
        &text, problem->file, problem->line, problem->column, label, problem->sentence,
        report->options.colour);
    struct slice line = text_slice(&text);
    if (!report->is_closed && fflush(report->options.out) != 0)
        note_failed_write(report);
    if (line.bytes)
        fwrite(line.bytes, 1, line.length, report->options.err);
    else
        report->has_failed = true;
    arena_reset(report->scratch);
}

/* Writes how often the last problem was repeated. */
static void write_repeated_problems(struct report *report)
{
    struct text sentence = text_start(report->scratch, 64);
    if (!report->repeated_problems)
        return;
    text_append_count(
        &sentence, report->repeated_problems, "more problem of this kind; --all lists it",
        "more problems of this kind; --all lists them");
    print_problem(
        report, TERMINAL_ERROR,
        &(struct report_problem){.file = report->problem_file, .sentence = text_slice(&sentence)});
    report->repeated_problems = 0;
}

/* A template breaks the rules of YAML in each of its documents: one line is enough for a person. */
static bool is_repeated(struct report *report, const struct report_problem *problem)
{
    if (report->options.format != OUTPUT_TEXT || report->options.shows_all)
        return false;
    if (slice_equal(report->problem_file, problem->file) &&
        slice_equal(report->problem_sentence, problem->sentence)) {
        report->repeated_problems++;
        return true;
    }
    write_repeated_problems(report);
    arena_reset(report->file);
    report->problem_file = arena_copy(report->file, problem->file);
    report->problem_sentence = arena_copy(report->file, problem->sentence);
    return false;
}

void report_problem(
    struct report *report, struct slice file, unsigned line, unsigned column, const char *sentence)
{
    const struct report_problem problem = {file, line, column, slice_of(sentence)};
    if (!report->writer->is_log && !is_repeated(report, &problem))
        print_problem(report, TERMINAL_ERROR, &problem);
    if (report->writer->problem) {
        struct text text = text_start(report->scratch, 256);
        report->writer->problem(report, &problem, &text);
        write_text(report, &text);
    }
}

void report_note(
    struct report *report, struct slice file, unsigned line, unsigned column, const char *sentence)
{
    print_problem(report, TERMINAL_NOTE, &(struct report_problem){file, line, column, slice_of(sentence)});
}

/* For people, skipped files are part of the report: they asked for them. */
void report_skipped(struct report *report, struct slice file, unsigned line, const char *reason)
{
    if (!report->options.shows_skipped)
        return;
    if (report->options.format != OUTPUT_TEXT) {
        report_note(report, file, line, 0, reason);
        return;
    }
    struct text text = text_start(report->scratch, 256);
    terminal_append_place(&text, file, line, 0, report->options.colour);
    text_append_all(&text, "skipped: ", reason, "\n");
    write_text(report, &text);
}

int report_end(struct report *report, const struct report_summary *summary)
{
    write_repeated_problems(report);
    if (report->writer->end) {
        struct text text = text_start(report->scratch, 256);
        report->writer->end(report, summary, &text);
        write_text(report, &text);
    }
    if (!report->is_closed && fflush(report->options.out) != 0)
        note_failed_write(report);
    int result = report->has_failed ? -1 : 0;
    release(report);
    return result;
}

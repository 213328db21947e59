/*
 * The format junit: a testsuite for each file, a testcase for each object, a failure for each finding that
 * denies or warns. Audited and waived findings are in the testcase's output.
 *
 * A testsuite starts with the number of its failures, so a file's cases are kept until the next file begins;
 * a file with very many objects becomes several suites.
 */
#include "base/terminal.h"
#include "report/junit.h"
#include "report/report_state.h"
#include "report/summary.h"
#include "report/xml_text.h"

#define SUITE_BYTES_MAX ((size_t)4 * 1024 * 1024)

struct junit_state {
    bool is_open;
    struct slice file; /* of the suite; in the arena of the file, as its cases are */
    struct text cases;
    size_t tests, failures, errors;
};

static void close_suite(struct report *report, struct text *text)
{
    struct junit_state *state = report->state;
    if (!state->is_open)
        return;
    struct slice cases = text_slice(&state->cases);
    junit_open_suite(text, state->file, state->tests, state->failures, state->errors);
    text_append_all(text, cases, JUNIT_SUITE_END);
    text->failed |= !cases.bytes;
    *state = (struct junit_state){0};
    arena_reset(report->file);
}

/* Returns the text to which cases of this file are appended. */
static struct text *open_suite(struct report *report, struct slice file, struct text *text)
{
    struct junit_state *state = report->state;
    if (state->is_open &&
        (!slice_equal(file, state->file) || state->cases.length > SUITE_BYTES_MAX || state->cases.failed))
        close_suite(report, text);
    if (!state->is_open) {
        *state = (struct junit_state){.is_open = true};
        state->file = arena_copy(report->file, file);
        state->cases = text_start(report->file, 1024);
    }
    return &state->cases;
}

/* Deployment.apps default/web; for an object whose name the API server generates, Job.batch at line 12. */
static struct slice object_name(const struct report_item *item, struct arena *arena)
{
    struct text name = text_start(arena, 256);
    text_append(&name, item->kind.length ? item->kind : SLICE("object"));
    if (item->name.length) {
        text_append_all(&name, " ", as_qualified(text_append, item->namespace, item->name));
    } else if (item->line) {
        text_append_all(&name, " at line ", item->line);
    }
    return text_slice(&name);
}

/* web.yaml:12:3: ACTION */
static void append_head(
    struct text *text, const struct report_item *item, unsigned line, unsigned column, enum action action)
{
    struct text place = text_start(text->arena, 256);
    terminal_append_place(&place, item->file, line, column, false); /* the log of a CI job may show it */
    text_append_all(text, as_escaped(xml_text_append, text_slice(&place)), action_name(action));
}

/* web.yaml:12:3: ACTION RULE: MESSAGE */
static void append_line(
    struct text *text, const struct report_item *item, const struct report_finding *finding)
{
    append_head(text, item, report_line(item, finding), finding->line ? finding->column : 0, finding->action);
    text_append_all(
        text, " ", rules[finding->rule].name, ": ", as_escaped(xml_text_append, finding->message));
    if (finding->is_waived)
        text_append_all(text, " (waived: ", as_escaped(xml_text_append, finding->waived_reason), ")");
}

static bool is_failure(const struct report_finding *finding)
{
    return finding->action >= ACTION_WARN && !finding->is_waived;
}

static size_t append_failures(struct text *text, const struct report_item *item)
{
    size_t count = 0;
    for (size_t i = 0; i < item->finding_count; i++) {
        if (!is_failure(&item->findings[i]))
            continue;
        text_append_string(text, "\n<failure");
        xml_text_append_attribute(text, "type", slice_of(rules[item->findings[i].rule].name));
        xml_text_append_attribute(text, "message", item->findings[i].message);
        text_append_string(text, ">");
        append_line(text, item, &item->findings[i]);
        text_append_string(text, "</failure>");
        count++;
    }
    return count;
}

static void append_output(struct text *text, const struct report_item *item)
{
    bool has_any = false;
    for (size_t i = 0; i < item->finding_count; i++) {
        if (is_failure(&item->findings[i]))
            continue;
        text_append_string(text, has_any ? "\n" : "\n<system-out>");
        append_line(text, item, &item->findings[i]);
        has_any = true;
    }
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!item->dropped[action])
            continue;
        text_append_string(text, has_any ? "\n" : "\n<system-out>");
        append_head(text, item, item->line, 0, (enum action)action);
        text_append_string(text, ": ");
        summary_append_not_listed(text, item->dropped[action]);
        has_any = true;
    }
    text_append_string(text, has_any ? "</system-out>" : "");
}

static void begin(struct report *report, struct text *text)
{
    (void)report;
    junit_begin(text);
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    struct text *cases = open_suite(report, item->file, text);
    struct junit_state *state = report->state;
    junit_open_case(cases, object_name(item, report->file), item->file);
    state->tests++;
    state->failures += append_failures(cases, item) > 0;
    append_output(cases, item);
    text_append_string(cases, JUNIT_CASE_END);
}

static void add_problem(struct report *report, const struct report_problem *problem, struct text *text)
{
    struct text *cases = open_suite(report, problem->file, text);
    struct junit_state *state = report->state;
    struct text name = text_start(report->file, 64);
    text_append_string(&name, "read");
    if (problem->line)
        text_append_all(&name, " line ", problem->line);
    junit_open_case(cases, text_slice(&name), problem->file);
    junit_append_error(cases, problem->sentence);
    text_append_string(cases, JUNIT_CASE_END);
    state->tests++;
    state->errors++;
}

static void end(struct report *report, const struct report_summary *summary, struct text *text)
{
    (void)summary;
    close_suite(report, text);
    junit_end(text);
}

const struct report_writer report_junit = {
    .state_size = sizeof(struct junit_state),
    .begin = begin,
    .add = add,
    .problem = add_problem,
    .end = end,
};

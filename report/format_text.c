/*
 * The format text, for people: a finding, its line of the source, and the summary at the end.
 *
 *   web.yaml:12:3: warn autoscaled-replicas: Deployment default/web: …
 *      12 |   replicas: 3
 *         |   ^
 *   by rule: autoscaled-replicas 1, explicit-strategy 2
 *   3 objects in 2 files: 1 deny, 2 warn; 1 waived
 *
 * Only the first findings of a rule are listed, and the rest is counted at the end. A warning about an object
 * that several files declare is listed once.
 */
#include "base/terminal.h"
#include "report/excerpt.h"
#include "report/report_state.h"
#include "report/summary.h"

static void append_action(struct text *text, enum action action, bool colour)
{
    terminal_append_coloured(text, terminal_action_colour(action_name(action)), action_name(action), colour);
}

/* The column of the finding in the visible part of its line; 0 if unknown. */
static unsigned column_in_excerpt(const struct report_finding *finding)
{
    unsigned before = finding->source_column ? finding->source_column - 1 : 0;
    return finding->column > before ? finding->column - before : 0;
}

static void append_finding(
    struct text *text, const struct report_item *item, const struct report_finding *finding, bool colour)
{
    terminal_append_place(
        text, item->file, report_line(item, finding), finding->line ? finding->column : 0, colour);
    append_action(text, finding->action, colour);
    text_append_string(text, " ");
    text_append_string(text, rules[finding->rule].name);
    text_append_string(text, ": ");
    terminal_append(text, finding->message);
    text_append_string(text, "\n");
    if (finding->line)
        excerpt_append(text, finding->source_line, finding->line, column_in_excerpt(finding), colour);
}

static void append_dropped(struct text *text, const struct report_item *item, bool colour)
{
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!item->dropped[action])
            continue;
        terminal_append_place(text, item->file, item->line, 0, colour);
        append_action(text, (enum action)action, colour);
        text_append_string(text, ": ");
        summary_append_not_listed(text, item->dropped[action]);
        text_append_string(text, "\n");
    }
}

/* How many findings of a rule a run lists, unless all are asked for. */
#define LISTED_MAX 5

/* The findings of a rule that are listed. */
struct first_findings {
    struct slice messages[LISTED_MAX];
    struct slice files[LISTED_MAX];
    size_t count;
};

struct text_state {
    struct first_findings first[RULE_COUNT];
    size_t grouped[RULE_COUNT]; /* not listed */
    size_t hidden;              /* of the action audit */
};

/* The message names the object, and copies of an object in other files have the same. */
static bool is_repeated(
    const struct first_findings *first, const struct report_finding *finding, struct slice file)
{
    for (size_t i = 0; i < first->count && finding->action != ACTION_DENY; i++)
        if (slice_equal(first->messages[i], finding->message) && !slice_equal(first->files[i], file))
            return true;
    return false;
}

static bool is_listed(struct report *report, const struct report_finding *finding, struct slice file)
{
    struct text_state *state = report->state;
    if (finding->is_waived)
        return false;
    if (finding->action == ACTION_AUDIT && !report->options.shows_audit) {
        state->hidden++;
        return false;
    }
    if (report->options.shows_all)
        return true;
    struct first_findings *first = &state->first[finding->rule];
    bool is_grouped = first->count == LISTED_MAX || is_repeated(first, finding, file);
    if (is_grouped) {
        state->grouped[finding->rule]++;
        return false;
    }
    first->messages[first->count] = arena_copy(report->kept, finding->message);
    first->files[first->count++] = arena_copy(report->kept, file);
    return true;
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        if (is_listed(report, &item->findings[i], item->file))
            append_finding(text, item, &item->findings[i], report->options.colour);
    }
    append_dropped(text, item, report->options.colour);
}

static void append_grouped(struct text *text, enum rule_id rule, size_t count)
{
    text_append_string(text, rules[rule].name);
    text_append_string(text, ": ");
    text_append_count(text, count, "more finding", "more findings");
    text_append_string(text, "; --all lists them\n");
}

static void append_by_rule(struct text *text, const struct report_summary *summary)
{
    const char *separator = "by rule: ";
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        if (!summary->by_rule[rule])
            continue;
        text_append_string(text, separator);
        text_append_string(text, rules[rule].name);
        text_append_string(text, " ");
        text_append_number(text, summary->by_rule[rule]);
        separator = ", ";
    }
    text_append_string(text, *separator == ',' ? "\n" : "");
}

static void end(struct report *report, const struct report_summary *summary, struct text *text)
{
    const struct text_state *state = report->state;
    for (int rule = 0; rule < RULE_COUNT; rule++)
        if (state->grouped[rule])
            append_grouped(text, (enum rule_id)rule, state->grouped[rule]);
    append_by_rule(text, summary);
    summary_append(text, summary);
    if (state->hidden)
        text_append_string(text, " (--show audit lists audit findings)");
    text_append_string(text, "\n");
}

const struct report_writer report_text = {.state_size = sizeof(struct text_state), .add = add, .end = end};

/*
 * The format text, for people: a finding, its line of the source, and the summary at the end.
 *
 *   web.yaml:12:3: warn autoscaled-replicas: Deployment default/web: …
 *      12 |   replicas: 3
 *         |   ^
 *   3 objects in 2 files: 1 deny, 2 warn; 1 waived
 */
#include "base/terminal.h"
#include "report/excerpt.h"
#include "report/report_state.h"
#include "report/summary.h"

static const char *colour_of(enum action action)
{
    return action == ACTION_DENY ? TERMINAL_RED : action == ACTION_WARN ? TERMINAL_YELLOW : TERMINAL_DIM;
}

/* The column of the finding in what is shown of its line; 0: unknown. */
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
    terminal_append_coloured(text, colour_of(finding->action), action_name(finding->action), colour);
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
        terminal_append_coloured(
            text, colour_of((enum action)action), action_name((enum action)action), colour);
        text_append_string(text, ": ");
        summary_append_not_listed(text, item->dropped[action]);
        text_append_string(text, "\n");
    }
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        if (!item->findings[i].is_waived)
            append_finding(text, item, &item->findings[i], report->options.colour);
    }
    append_dropped(text, item, report->options.colour);
}

const struct report_writer report_text = {.name = "text", .add = add, .end = summary_end};

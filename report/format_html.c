/*
 * The format html: one page for people, without scripts. Each finding has its lines of the source next to it.
 *
 * Findings are written as they come, so the summary is at the end; the page begins with a link to it.
 */
#include "report/html.h"
#include "report/report_state.h"
#include "report/rule_page.h"
#include "report/summary.h"

static const struct html_page page = {
    .title = "applyguard check",
    .style =
        ".findings { list-style: none; padding: 0; }\n"
        ".findings li { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 1.5rem; "
        "border-top: 1px solid var(--line); padding: .75rem 0; break-inside: avoid; }\n"
        ".findings p { margin: 0 0 .25rem; overflow-wrap: anywhere; }\n"
        ".source { background: var(--head); padding: .5rem 0; align-self: start; }\n"
        ".source div { display: flex; font: .875rem/1.5 ui-monospace, monospace; padding-right: .5rem; }\n"
        ".source .here { box-shadow: inset 4px 0 var(--bar); font-weight: 600; }\n"
        ".source span { flex: none; width: 4.5rem; padding-right: 1rem; text-align: right; color: "
        "var(--soft); "
        "user-select: none; }\n"
        ".source code { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }\n"
        "h2, h3 { overflow-wrap: anywhere; } h3 { font-size: 1rem; margin: 1.5rem 0 0; }\n"
        "a { color: var(--bar); }\n"
        "@media (max-width: 48rem) { .findings li { grid-template-columns: minmax(0, 1fr); }"
        " .source { order: 1; } .source span { width: 3rem; } }\n",
};

/* The file of the items so far; its text is in the report's arena `file`. */
struct html_state {
    struct slice file;
    bool has_file;
};

static void begin(struct report *report, struct text *text)
{
    (void)report;
    html_append_begin(text, &page);
    text_append_string(text, "<h1>What applyguard found</h1>\n<p><a href=\"#summary\">Summary</a></p>\n");
}

/* Starts the part of another file. */
static void begin_file(struct report *report, struct slice file, struct text *text)
{
    struct html_state *state = report->state;
    if (state->has_file && slice_equal(state->file, file))
        return;
    arena_reset(report->file);
    state->file = arena_copy(report->file, file);
    state->has_file = true;
    text->failed |= arena_has_failed(report->file);
    text_append_all(text, "<h2>", as_html(file), "</h2>\n");
}

static void append_action(struct text *text, enum action action)
{
    text_append_all(text, "<strong class=\"", action_name(action), "\">", action_name(action), "</strong>");
}

static void append_rule(struct text *text, const char *pages, enum rule_id rule)
{
    bool has_page = pages && *pages;
    if (has_page) {
        text_append_string(text, "<a href=\"");
        rule_page_append(text, pages, rule);
        text_append_string(text, "\">");
    }
    text_append_all(text, rules[rule].name, has_page ? "</a>" : "");
}

static void append_line(struct text *text, const struct report_line *line, bool is_marked)
{
    text_append_all(
        text, is_marked ? "<div class=\"here\"><span>" : "<div><span>", line->number, "</span><code>");
    struct slice shown = line->text;
    if (shown.length && shown.bytes[shown.length - 1] == '\r')
        shown.length--;
    text_append_all(text, as_html(shown), "</code></div>\n");
}

static void append_source(struct text *text, const struct report_finding *finding)
{
    const struct report_line only = {finding->line, finding->source_line};
    const bool has_only = !finding->around_count && finding->line && only.text.length;
    if (!finding->around_count && !has_only)
        return;
    text_append_string(text, "<div class=\"source\">\n");
    for (size_t i = 0; i < finding->around_count; i++)
        append_line(text, &finding->around[i], finding->around[i].number == finding->line);
    if (has_only)
        append_line(text, &only, true);
    text_append_string(text, "</div>\n");
}

/* In words, too, for readers who do not see the mark. */
static void append_place(
    struct text *text, const struct report_item *item, const struct report_finding *finding)
{
    if (!report_line(item, finding))
        return;
    text_append_all(text, " <span class=\"soft\">line ", report_line(item, finding));
    if (finding->line && finding->column)
        text_append_all(text, ", column ", finding->column);
    text_append_string(text, "</span>");
}

static void append_note(struct text *text, const char *words, struct slice rest)
{
    text_append_all(text, "<p class=\"soft\">", words, as_html(rest), "</p>\n");
}

static void append_finding(
    struct report *report, const struct report_item *item, const struct report_finding *finding,
    struct text *text)
{
    text_append_string(text, "<li>\n");
    append_source(text, finding);
    text_append_string(text, "<div>\n<p>");
    append_action(text, finding->action);
    text_append_string(text, " ");
    append_rule(text, report->options.pages, finding->rule);
    append_place(text, item, finding);
    text_append_all(text, "</p>\n<p>", as_html(finding->message), "</p>\n");
    if (finding->is_waived)
        append_note(text, "waived: ", finding->waived_reason);
    if (finding->lacks_reason)
        append_note(text, "not waived: the comment gives no reason", (struct slice){NULL, 0});
    text_append_string(text, "</div>\n</li>\n");
}

static void append_heading(struct text *text, const struct report_item *item)
{
    text_append_all(
        text, "<h3>", as_html(item->kind), item->kind.length ? " " : "",
        as_qualified(
            html_append_escaped, item->namespace, item->name.length ? item->name : SLICE("(no name)")),
        "</h3>\n<ul class=\"findings\">\n");
}

static void append_dropped(struct text *text, const struct report_item *item)
{
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!item->dropped[action])
            continue;
        text_append_string(text, "<p>");
        append_action(text, (enum action)action);
        text_append_string(text, " ");
        summary_append_not_listed(text, item->dropped[action]);
        text_append_string(text, "</p>\n");
    }
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    if (item->finding_count) {
        begin_file(report, item->file, text);
        append_heading(text, item);
        for (size_t i = 0; i < item->finding_count; i++)
            append_finding(report, item, &item->findings[i], text);
        text_append_string(text, "</ul>\n");
    }
    append_dropped(text, item);
}

static void append_problem(struct report *report, const struct report_problem *problem, struct text *text)
{
    begin_file(report, problem->file, text);
    text_append_string(text, "<p><strong class=\"deny\">error</strong> ");
    if (problem->line)
        text_append_all(text, "line ", problem->line, ": ");
    text_append_all(text, as_html(problem->sentence), "</p>\n");
}

static void append_by_rule(struct report *report, const struct report_summary *summary, struct text *text)
{
    text_append_string(
        text,
        "<table>\n<caption>By rule</caption>\n<thead><tr><th scope=\"col\">rule</th>"
        "<th scope=\"col\" class=\"number\">findings</th></tr></thead>\n<tbody>\n");
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        if (!summary->by_rule[rule])
            continue;
        text_append_string(text, "<tr><th scope=\"row\">");
        append_rule(text, report->options.pages, (enum rule_id)rule);
        text_append_all(text, "</th><td class=\"number\">", summary->by_rule[rule], "</td></tr>\n");
    }
    text_append_string(text, "</tbody>\n</table>\n");
}

static void end(struct report *report, const struct report_summary *summary, struct text *text)
{
    text_append_string(text, "<h2 id=\"summary\">Summary</h2>\n<p>");
    summary_append(text, summary);
    text_append_string(text, "</p>\n");
    if (summary->by_action[ACTION_DENY] || summary->by_action[ACTION_WARN] ||
        summary->by_action[ACTION_AUDIT])
        append_by_rule(report, summary, text);
    html_append_end(text, &page);
}

const struct report_writer report_html = {
    .state_size = sizeof(struct html_state),
    .begin = begin,
    .add = add,
    .problem = append_problem,
    .end = end,
};

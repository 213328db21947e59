#include "base/array_size.h"
#include "commands/replay/fights.h"
#include "commands/replay/page.h"
#include "commands/replay/replay.h"
#include "commands/replay/row.h"
#include "report/html_tables.h"

/* How many rows of a table of sums are shown: the rest is in the JSON. */
#define ROWS_MAX 50

/* The parts of a time in RFC 3339. */
#define DATE_LENGTH (sizeof("2026-01-31") - 1)
#define CLOCK_LENGTH (sizeof("08:00:00") - 1)

/* To the second, with a blank where a narrow line may break. */
static void append_time(struct text *text, struct slice time)
{
    text_append_all(
        text, as_html(slice_until(time, DATE_LENGTH)), time.length > DATE_LENGTH ? " " : "",
        as_html(slice_until(slice_from(time, DATE_LENGTH + 1), CLOCK_LENGTH)));
}

/*
 * Tables of sums
 */

static void open_table(struct text *text, const char *caption, const char *const *columns, size_t count)
{
    text_append_all(text, "<div>\n<table class=\"sortable\">\n<caption>", caption, "</caption>\n");
    html_append_table_head(text, columns, count, 1);
}

static void close_table(struct text *text, uint64_t shown, uint64_t count)
{
    html_append_table_end(text, shown, count);
    text_append_string(text, "</div>\n");
}

/* Columns of a table of names: the names, and the numbers from `last` to `first`, the strongest at the left.
 */
struct columns {
    const char *headings[5];
    int first, last;
};

static void append_table(
    struct text *text, const char *caption, const struct name_table *counts, const struct columns *columns)
{
    size_t shown = 0;
    if (!counts->count)
        return;
    open_table(text, caption, columns->headings, (size_t)(columns->last - columns->first) + 2);
    const struct replay_count *row = NULL;
    for (; shown < ROWS_MAX && (row = replay_counts_next(counts, row)); shown++) {
        struct slice name = replay_fight_label(row->name, text->arena);
        html_append_row_head(text, name.length ? name : SLICE("(none)"));
        for (int column = columns->last; column >= columns->first; column--)
            html_append_number_cell(text, row->values[column]);
        text_append_string(text, "</tr>\n");
    }
    close_table(text, shown, counts->count);
}

static void append_rule(struct text *text, const char *name, const uint64_t counts[ACTION_COUNT])
{
    if (!counts[ACTION_AUDIT] && !counts[ACTION_WARN] && !counts[ACTION_DENY])
        return;
    html_append_row_head(text, slice_of(name));
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--)
        html_append_number_cell(text, counts[action]);
    text_append_string(text, "</tr>\n");
}

static void append_rules(struct text *text, const struct replay_summary *summary)
{
    static const char *const columns[] = {"rule", "deny", "warn", "audit"};
    open_table(text, "Findings by rule", columns, 4);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        append_rule(text, rules[rule].name, summary->findings[rule]);
    append_rule(text, REPLAY_INDEX_PATCH, summary->index_patches);
    close_table(text, 0, 0);
}

static void append_unjudged(struct text *text, const struct replay_summary *summary)
{
    static const char *const columns[] = {"reason", "writes"};
    bool is_any = summary->not_sent;
    for (int reason = REPLAY_NO_REASON + 1; reason < REPLAY_REASON_COUNT; reason++)
        is_any |= summary->unjudged[reason];
    if (!is_any)
        return;
    open_table(text, "Not judged in full", columns, 2);
    for (int reason = REPLAY_NO_REASON + 1; reason < REPLAY_REASON_COUNT; reason++) {
        if (!summary->unjudged[reason])
            continue;
        text_append_all(
            text, "<tr><th scope=\"row\">", replay_reason_name((enum replay_reason)reason), ": ",
            replay_reason_text((enum replay_reason)reason), "</th>");
        html_append_number_cell(text, summary->unjudged[reason]);
        text_append_string(text, "</tr>\n");
    }
    if (summary->not_sent) {
        text_append_string(text, "<tr><th scope=\"row\">" REPLAY_NOT_SENT "</th>");
        html_append_number_cell(text, summary->not_sent);
        text_append_string(text, "</tr>\n");
    }
    close_table(text, 0, 0);
}

/* The writes of each hour that were warned of and denied, as bars. */
static void append_timeline(struct text *text, const struct name_table *hours)
{
    static const char *const columns[] = {"hour (UTC)", "deny", "warn", "both"};
    uint64_t most = 1;
    if (!hours->count)
        return;
    for (size_t i = 0; i < hours->count; i++) {
        const uint64_t *values = replay_counts_item(hours, i)->values;
        uint64_t both = values[REPLAY_WARNED] + values[REPLAY_DENIED];
        most = both > most ? both : most;
    }
    open_table(text, "Over time", columns, 4);
    for (size_t i = 0; i < hours->count; i++) {
        const struct replay_count *hour = replay_counts_item(hours, i);
        const uint64_t *values = hour->values;
        html_append_row_head(text, hour->name);
        html_append_number_cell(text, values[REPLAY_DENIED]);
        html_append_number_cell(text, values[REPLAY_WARNED]);
        text_append_all(
            text, "<td><span class=\"bar\" style=\"width: ",
            (values[REPLAY_WARNED] + values[REPLAY_DENIED]) * 100 / most, "%\"></span></td></tr>\n");
    }
    close_table(text, 0, 0);
}

static void append_sentence(struct text *text, const struct replay_summary *summary)
{
    uint64_t judged = summary->judged[REPLAY_FULL] + summary->judged[REPLAY_PARTIAL];
    text_append_all(
        text, "<h1>What the policy would have done</h1>\n<p>",
        as_escaped(append_time, replay_time(&summary->first)), " to ",
        as_escaped(append_time, replay_time(&summary->last)));
    text_append_all(
        text, " (UTC): ", summary->events, " requests, ", summary->writes, " writes, ", judged,
        " of them judged.</p>\n<p><strong class=\"deny\">", summary->would_deny,
        " denied</strong>, <strong class=\"warn\">", summary->would_warn, " warned of</strong>.</p>\n");
    replay_append_refused(text, "<p class=\"soft\">The API server refused ", summary, ".</p>\n");
}

static void append_fights(struct text *text, const struct replay_summary *summary)
{
    static const struct columns rivals = {
        {"writer and owner", "refused", "then forced"}, REPLAY_WON, REPLAY_REFUSED};
    static const struct columns fields = {
        {"field and managers", "days", "changes"}, REPLAY_CHANGES, REPLAY_DAYS};
    static const struct columns unknown = {
        {"manager", "fields taken back", "by services", "by people"}, REPLAY_BY_PEOPLE, REPLAY_TAKEN_BACK};
    struct name_table slow = {0};
    append_table(
        text, "Conflicts, and how often the writer then forced its apply", &summary->rivals, &rivals);
    if (replay_slow_fights(&summary->fields, text->arena, &slow))
        append_table(text, "Fields that changed hands on several days", &slow, &fields);
    append_table(text, "Writes of managers of unknown class", &summary->unknown, &unknown);
}

void replay_append_page(struct text *text, const struct replay_summary *summary)
{
    const struct {
        const char *caption, *name;
        const struct name_table *counts;
    } verdicts[] = {
        {"By namespace", "namespace", &summary->by_namespace},
        {"By kind", "kind", &summary->by_kind},
        {"By manager", "manager", &summary->by_manager},
        {"By user", "user", &summary->by_user},
        {"Objects with most findings", "object", &summary->objects},
    };
    static const struct columns managers = {{"manager", "writes"}, 0, 0},
                                webhooks = {{"webhook", "writes"}, 0, 0};
    html_append_begin(text, &replay_page);
    append_sentence(text, summary);
    text_append_string(text, "<h2>Sums</h2>\n<div class=\"tables\">\n");
    append_rules(text, summary);
    append_timeline(text, &summary->hours);
    for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
        const struct columns columns = {{verdicts[i].name, "deny", "warn"}, REPLAY_WARNED, REPLAY_DENIED};
        append_table(text, verdicts[i].caption, verdicts[i].counts, &columns);
    }
    append_table(text, "Forced applies", &summary->forced, &managers);
    append_table(text, "Applies refused with a conflict", &summary->conflicts, &managers);
    append_fights(text, summary);
    append_table(text, "Writes by hand or by scripts", &summary->imperative, &managers);
    append_table(text, "Writes with findings that mutating webhooks changed", &summary->webhooks, &webhooks);
    append_unjudged(text, summary);
    text_append_string(text, "</div>\n<h2>Writes</h2>\n");
}

/*
 * Writes
 */

void replay_append_rows_begin(struct text *text)
{
    text_append_string(
        text,
        "<p class=\"filter\" hidden><label for=\"filter\">Show only writes with these words:</label> "
        "<input id=\"filter\" type=\"search\"> <span id=\"shown\" role=\"status\" "
        "class=\"soft\"></span></p>\n"
        "<div class=\"wide\" role=\"region\" aria-label=\"Writes\" tabindex=\"0\">\n"
        "<table id=\"writes\" class=\"sortable filtered\">\n"
        "<caption>Writes that would have been denied or warned of</caption>\n"
        "<thead><tr><th scope=\"col\">time (UTC)</th><th scope=\"col\">verdict</th><th "
        "scope=\"col\">request</th><th scope=\"col\">user</th><th scope=\"col\">manager</th><th "
        "scope=\"col\">findings</th></tr></thead>\n"
        "<tbody>\n");
}

void replay_append_rows_end(struct text *text, uint64_t more)
{
    text_append_string(text, "</tbody>\n</table>\n</div>\n");
    if (more)
        text_append_all(text, "<p class=\"soft\">and ", more, " more: see -o json</p>\n");
    html_append_end(text, &replay_page);
}

static void append_request(struct text *text, const struct replay_row *row)
{
    text_append_all(
        text, "<td class=\"request\">", as_html(row->verb), " ", as_html(row->kind),
        row->subresource.length ? "/" : "", as_html(row->subresource), " ",
        as_qualified(html_append_escaped, row->namespace, row->name), "</td>");
}

static void append_finding(struct text *text, const struct replay_row_finding *finding)
{
    const char *action = action_name(finding->action);
    text_append_all(
        text, "<div><span class=\"", action, "\">", action, "</span> ", as_html(finding->message),
        " <span class=\"soft\">[", as_html(finding->rule), "]</span></div>");
}

bool replay_append_row(struct text *text, const struct replay_row *row)
{
    if (row->verdict.strongest < ACTION_WARN)
        return false;
    const char *action = action_name(row->verdict.strongest);
    text_append_all(
        text, "<tr><td class=\"time\">", as_escaped(append_time, row->time), "</td><td class=\"", action,
        "\">", action, row->is_dry_run ? " (dry run)</td>" : "</td>");
    append_request(text, row);
    text_append_all(text, as_cell(row->user), as_cell(row->manager), "<td>");
    for (size_t i = 0; i < row->verdict.count; i++)
        append_finding(text, &row->verdict.findings[i]);
    const struct slice_list *webhooks = &row->webhooks;
    for (size_t i = 0; i < webhooks->count; i++)
        text_append_all(
            text, "<div class=\"soft\">changed by the webhook ", as_html(webhooks->items[i]), "</div>");
    text_append_string(text, "</td></tr>\n");
    return true;
}

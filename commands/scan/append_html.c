/*
 * The report as one page of HTML: who owns what as a heat map, the budget as bars, and all findings.
 */
#include "base/array_size.h"
#include "commands/scan/first.h"
#include "commands/scan/scan.h"
#include "report/html.h"
#include "report/html_tables.h"

#include <stdlib.h>

/* Rows and columns of the heat map, rows of the budget, and findings of a rule: the rest is in the JSON. */
#define MANAGERS_MAX 40
#define KINDS_MAX 16
#define BUDGET_MAX 30
#define FINDINGS_MAX 500

static const struct html_page page = {
    .title = "applyguard scan",
    .style = "#matrix td { text-align: right; min-width: 3rem; font-variant-numeric: tabular-nums; }\n"
             "#matrix thead th { writing-mode: vertical-rl; position: static; white-space: nowrap; }\n"
             "#matrix thead th:first-child, #matrix thead th.plain { writing-mode: horizontal-tb; "
             "vertical-align: bottom; }\n"
             ".h1 { background: color-mix(in srgb, var(--bar) 6%, var(--back)); }\n"
             ".h2 { background: color-mix(in srgb, var(--bar) 12%, var(--back)); }\n"
             ".h3 { background: color-mix(in srgb, var(--bar) 18%, var(--back)); }\n"
             ".h4 { background: color-mix(in srgb, var(--bar) 24%, var(--back)); }\n",
    .script = html_tables_script,
};

static void open_table(struct text *text, const char *start, const char *const *columns, size_t count)
{
    text_append_string(text, start);
    html_append_table_head(text, columns, count, count);
}

/*
 * The matrix
 */

/* The kinds of the most objects. */
static size_t choose_kinds(const struct scan_summary *summary, const struct scan_kind *kinds[KINDS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < summary->kinds.count; i++) {
        const struct scan_kind *kind = name_table_item(&summary->kinds, i);
        size_t place = count;
        while (place && kinds[place - 1]->objects < kind->objects)
            place--;
        if (place == KINDS_MAX)
            continue;
        count += count < KINDS_MAX;
        for (size_t j = count - 1; j > place; j--)
            kinds[j] = kinds[j - 1];
        kinds[place] = kind;
    }
    return count;
}

/* The counts of a manager are in the order of their names. */
static uint64_t objects_of(const struct scan_manager *manager, struct slice kind)
{
    const struct name_table *kinds = &manager->kinds;
    const struct scan_count *count = kinds->count
        ? bsearch(&kind, kinds->records, kinds->count, kinds->record_bytes, slice_compare_items)
        : NULL;
    return count ? count->number : 0;
}

/* The darker, the larger the part of the kind's objects in which the manager owns something. */
static void append_heat(struct text *text, uint64_t objects, uint64_t of)
{
    static const char *const classes[] = {
        "", " class=\"h1\"", " class=\"h2\"", " class=\"h3\"", " class=\"h4\""};
    size_t heat = !objects ? 0 : of <= objects ? 4 : (size_t)(objects * 3 / of) + 1;
    text_append_all(text, "<td", classes[heat], ">");
    if (objects)
        text_append_number(text, objects);
    text_append_string(text, "</td>");
}

static void append_manager(
    struct text *text, const struct scan_manager *manager, const struct scan_kind *const *kinds, size_t count)
{
    text_append_all(
        text, as_row_head(manager->name), as_cell(slice_of(manager_operation_name(manager->operation))),
        as_cell(scan_manager_tool(manager)),
        as_cell(slice_of(manager_class_name(scan_manager_class(manager)))));
    html_append_number_cell(text, manager->fields);
    html_append_cell(text, slice_until(scan_time(manager->last), 10));
    for (size_t i = 0; i < count; i++)
        append_heat(text, objects_of(manager, kinds[i]->name), kinds[i]->objects);
    text_append_string(text, "</tr>\n");
}

static void append_matrix(struct text *text, const struct scan_summary *summary)
{
    static const char *const columns[] = {"manager", "writes", "tool", "class", "fields", "last write"};
    const struct scan_kind *kinds[KINDS_MAX];
    size_t count = choose_kinds(summary, kinds), shown = 0;
    text_append_string(
        text,
        "<h2>Who owns what</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Who owns "
        "what\">\n"
        "<table id=\"matrix\">\n<caption>Objects of each kind in which a manager owns "
        "fields</caption>\n<thead><tr>");
    for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
        text_append_all(text, "<th scope=\"col\" class=\"plain\">", columns[i], "</th>");
    for (size_t i = 0; i < count; i++)
        text_append_all(text, "<th scope=\"col\">", as_html(kinds[i]->name), "</th>");
    text_append_string(text, "</tr></thead>\n<tbody>\n");
    for (; shown < summary->managers.count && shown < MANAGERS_MAX; shown++)
        append_manager(text, name_table_item(&summary->managers, shown), kinds, count);
    html_append_table_end(text, shown, summary->managers.count);
    text_append_string(text, "</div>\n");
}

/*
 * The others
 */

static void append_largest(struct text *text, const struct scan_kind *kind)
{
    text_append_string(text, "<td>");
    for (size_t i = 0; kind->largest && i < SCAN_LARGEST_OF_KIND && kind->largest[i].bytes; i++) {
        struct text name = text_start(text->arena, 128);
        scan_append_large(&name, &kind->largest[i]);
        text_append_all(text, i ? "<br>" : "", as_html(text_slice(&name)), " ", kind->largest[i].bytes);
    }
    text_append_string(text, "</td>");
}

static void append_budget_row(struct text *text, const struct scan_kind *kind, uint64_t most)
{
    html_append_row_head(text, kind->name);
    html_append_number_cell(text, kind->objects);
    html_append_number_cell(text, kind->budget.objects);
    html_append_number_cell(text, kind->budget.managed_fields);
    html_append_number_cell(text, kind->budget.annotations);
    html_append_number_cell(text, kind->budget.last_applied);
    text_append_all(
        text, "<td><span class=\"bar\" style=\"width:", most ? kind->budget.objects * 100 / most : 0,
        "%\"></span></td>");
    append_largest(text, kind);
    text_append_string(text, "</tr>\n");
}

static void append_budget(struct text *text, const struct scan_summary *summary)
{
    static const char *const columns[] = {"kind",        "objects",      "bytes",         "managedFields",
                                          "annotations", "last-applied", "share of size", "largest objects"};
    uint64_t most = 0;
    size_t shown = 0;
    for (size_t i = 0; i < summary->kinds.count; i++) {
        const struct scan_kind *kind = name_table_item(&summary->kinds, i);
        most = kind->budget.objects > most ? kind->budget.objects : most;
    }
    open_table(
        text,
        "<h2>Budget</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Budget\">\n<table "
        "class=\"sortable\">\n<caption>Bytes of the objects as JSON</caption>\n",
        columns, ARRAY_SIZE(columns));
    for (; shown < summary->kinds.count && shown < BUDGET_MAX; shown++)
        append_budget_row(text, name_table_item(&summary->kinds, shown), most);
    html_append_table_end(text, shown, summary->kinds.count);
    text_append_all(
        text, "</div>\n<p>Server-side apply would free the last-applied annotations: ",
        summary->budget.last_applied, " bytes.</p>\n");
}

static size_t append_tasks(
    struct text *text, const struct scan_summary *summary, enum scan_readiness readiness)
{
    const struct scan_tasks *tasks = &summary->tasks[readiness];
    size_t shown = 0;
    for (; shown < tasks->count && shown < FINDINGS_MAX; shown++)
        text_append_all(
            text, as_row_head(tasks->items[shown].object), as_cell(slice_of(scan_readiness_name(readiness))),
            "<td><code>", as_html(tasks->items[shown].what), "</code></td></tr>\n");
    return shown;
}

static void append_all_tasks(struct text *text, const struct scan_summary *summary)
{
    static const char *const columns[] = {"object", "state", "command, or fields that no apply removes"};
    size_t count = summary->tasks[SCAN_MIGRATE].count + summary->tasks[SCAN_STUCK].count;
    if (!count)
        return;
    open_table(
        text, "<table class=\"sortable\">\n<caption>Objects that are not ready</caption>\n", columns, 3);
    size_t shown = append_tasks(text, summary, SCAN_MIGRATE);
    shown += append_tasks(text, summary, SCAN_STUCK);
    html_append_table_end(text, shown, count);
}

static void append_readiness(struct text *text, const struct scan_summary *summary)
{
    static const char *const columns[] = {"for server-side apply", "objects"};
    open_table(
        text, "<h2>Server-side apply</h2>\n<table>\n<caption>Objects that tools apply</caption>\n", columns,
        2);
    for (int readiness = SCAN_READY; readiness < SCAN_READINESS_COUNT; readiness++) {
        html_append_row_head(text, slice_of(scan_readiness_name((enum scan_readiness)readiness)));
        html_append_number_cell(text, summary->readiness[readiness]);
        text_append_string(text, "</tr>\n");
    }
    html_append_table_end(text, 0, 0);
    append_all_tasks(text, summary);
}

static void append_findings_of(struct text *text, const struct scan_summary *summary, enum rule_id rule)
{
    const struct scan_examples *examples = &summary->examples[rule];
    for (size_t i = 0; i < examples->count && i < FINDINGS_MAX; i++)
        text_append_all(
            text, as_row_head(slice_of(rules[rule].name)), as_cell(examples->items[i].message), "</tr>\n");
}

static void append_findings(struct text *text, const struct scan_summary *summary)
{
    static const char *const sums[] = {"rule", "deny", "warn", "audit"}, *const all[] = {"rule", "finding"};
    uint64_t count = 0, shown = 0;
    open_table(
        text, "<h2>Findings</h2>\n<table class=\"sortable\">\n<caption>Findings by rule</caption>\n", sums,
        4);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        uint64_t findings = scan_summary_findings(summary, (enum rule_id)rule);
        size_t kept = summary->examples[rule].count;
        count += findings;
        shown += kept < FINDINGS_MAX ? kept : FINDINGS_MAX;
        if (!findings)
            continue;
        html_append_row_head(text, slice_of(rules[rule].name));
        for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--)
            html_append_number_cell(text, summary->findings[rule][action]);
        text_append_string(text, "</tr>\n");
    }
    html_append_table_end(text, 0, 0);
    text_append_string(
        text,
        "<p class=\"filter\" hidden><label for=\"filter\">Show only findings with these words:</label> "
        "<input id=\"filter\" type=\"search\"> <span id=\"shown\" role=\"status\"></span></p>\n");
    open_table(text, "<table class=\"sortable filtered\">\n<caption>All findings</caption>\n", all, 2);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        append_findings_of(text, summary, (enum rule_id)rule);
    html_append_table_end(text, shown, count);
}

static void append_overlaps(struct text *text, const struct scan_summary *summary)
{
    size_t shown = 0;
    if (!summary->overlap_count)
        return;
    text_append_string(text, "<h2>Overlapping selectors</h2>\n<ul>\n");
    for (; shown < summary->overlap_count && shown < FINDINGS_MAX; shown++) {
        struct text words = text_start(text->arena, 128);
        scan_append_overlap(&words, &summary->overlaps[shown]);
        text_append_all(text, "<li>", as_html(text_slice(&words)), "</li>\n");
    }
    text_append_string(text, "</ul>\n");
    if (shown < summary->overlap_count)
        text_append_all(
            text, "<p class=\"soft\">and ", summary->overlap_count - shown, " more: see -o json</p>\n");
}

static void append_list(struct text *text, const char *words, const struct name_table *names)
{
    if (!names->count)
        return;
    text_append_all(text, "<p>", words);
    for (size_t i = 0; i < names->count; i++)
        text_append_all(text, i ? ", " : " ", as_html(*(const struct slice *)name_table_item(names, i)));
    text_append_string(text, "</p>\n");
}

static void append_first(struct text *text, const struct scan_summary *summary)
{
    struct scan_first first[SCAN_FIRST_MAX];
    size_t count = scan_first_find(summary, first);
    if (!count)
        return;
    text_append_string(text, "<h2>Do these first</h2>\n<ol>\n");
    for (size_t i = 0; i < count; i++) {
        text_append_all(
            text, "<li>", as_html(scan_first_sentence(&first[i])), " [", rules[first[i].rule].name, "]");
        if (first[i].example->command.length)
            text_append_all(text, "<br><code>", as_html(first[i].example->command), "</code>");
        text_append_string(text, "</li>\n");
    }
    text_append_string(text, "</ol>\n");
}

void scan_append_html(struct text *text, const struct scan_summary *summary)
{
    html_append_begin(text, &page);
    text_append_all(
        text, "<h1>applyguard scan</h1>\n<p>", summary->objects, " objects, ", summary->kinds.count,
        " kinds, ", summary->managers.count, " field managers</p>\n");
    append_first(text, summary);
    append_findings(text, summary);
    append_matrix(text, summary);
    append_overlaps(text, summary);
    append_readiness(text, summary);
    append_budget(text, summary);
    append_list(text, "Kinds that may not be listed:", &summary->forbidden);
    append_list(
        text, "Versions in managedFields that the cluster does not serve any more:", &summary->old_versions);
    html_append_end(text, &page);
}

/*
 * The report for people: on one page, first what to do, then who owns what, and what the cluster is like.
 */
#include "base/terminal.h"
#include "base/terminal_columns.h"
#include "base/utc_time.h"
#include "commands/scan/first.h"
#include "commands/scan/text_page.h"

/* Days after which a manager that has not written counts as gone, and days for which one is new. */
#define STALE_DAYS 180
#define NEW_DAYS 7

/* The command is on a line of its own, to be copied. */
static void append_task(const struct scan_page *page, size_t number, const struct scan_first *first)
{
    struct text *text = page->text;
    text_append_all(
        text, "  ", number, ". ", scan_first_sentence(first), " [", rules[first->rule].name, "]\n");
    if (!first->example->command.length)
        return;
    text_append_all(text, "     ", first->example->command, "\n");
}

static void append_first(const struct scan_page *page)
{
    struct scan_first first[SCAN_FIRST_MAX];
    size_t count = scan_first_find(page->summary, first);
    if (count)
        scan_page_append_heading(page, "Do these first");
    for (size_t i = 0; i < count; i++)
        append_task(page, i + 1, &first[i]);
}

/*
 * Findings
 */

static enum action strongest(const uint64_t numbers[ACTION_COUNT])
{
    int action = ACTION_COUNT - 1;
    while (action > ACTION_OFF && !numbers[action])
        action--;
    return (enum action)action;
}

static void append_rule(const struct scan_page *page, enum rule_id rule)
{
    struct text *text = page->text;
    const char *action = action_name(strongest(page->summary->findings[rule]));
    struct text number = text_start(text->arena, 16);
    text_append_number(&number, scan_summary_findings(page->summary, rule));
    text_append_string(text, "  ");
    terminal_append_cell(text, text_slice(&number), 7, true);
    terminal_append_coloured(text, terminal_action_colour(action), action, page->how->colour);
    text_append_spaces(text, action[4] ? 2 : 3);
    terminal_append_cell(text, slice_of(rules[rule].name), 28, false);
    text_append_all(text, rules[rule].summary, "\n");
    const struct scan_examples *examples = &page->summary->examples[rule];
    for (size_t i = 0; page->summary->keeps_all && i < examples->count; i++)
        text_append_all(text, "           ", examples->items[i].message, "\n");
}

static void append_findings(const struct scan_page *page)
{
    bool any = false;
    for (int action = ACTION_DENY; action > ACTION_OFF; action--) {
        for (int rule = 0; rule < RULE_COUNT; rule++) {
            const uint64_t *numbers = page->summary->findings[rule];
            if (!scan_summary_findings(page->summary, (enum rule_id)rule) ||
                (int)strongest(numbers) != action)
                continue;
            if (!any)
                scan_page_append_heading(page, "Findings");
            any = true;
            append_rule(page, (enum rule_id)rule);
        }
    }
}

/*
 * Managers
 */

static int64_t days_since(struct slice time, int64_t now)
{
    int64_t seconds = utc_time_seconds(time);
    return seconds ? (now - seconds) / 86400 : -1;
}

static const char *note_of(const struct scan_manager *manager, int64_t now)
{
    enum manager_class class = scan_manager_class(manager);
    int64_t first = days_since(scan_time(manager->first), now),
            last = days_since(scan_time(manager->last), now);
    if (class == CLASS_AD_HOC)
        return "by hand";
    if (last >= STALE_DAYS)
        return "stale";
    if (first >= 0 && first < NEW_DAYS)
        return "new";
    return class == CLASS_UNKNOWN ? "unknown" : "";
}

static void append_kinds(struct text *text, const struct scan_manager *manager)
{
    size_t shown = 0;
    for (size_t i = 0; i < manager->kinds.count && shown < 3; i++, shown++) {
        const struct scan_count *kind = name_table_item(&manager->kinds, i);
        text_append_all(text, shown ? ", " : "", as_printable(kind->name), " ", kind->number);
    }
    if (manager->kinds.count > shown)
        text_append_string(text, ", …");
}

static void append_number_cell(struct text *text, uint64_t number, size_t columns)
{
    terminal_append_cell(text, text_join(text->arena, number), columns, true);
}

static void append_manager(const struct scan_page *page, const struct scan_manager *manager)
{
    struct text *text = page->text;
    struct slice tool = scan_manager_tool(manager);
    terminal_append_cell(text, SLICE(""), 0, false);
    terminal_append_cell(text, text_printable(text->arena, manager->name), 30, false);
    terminal_append_cell(text, slice_of(manager_operation_name(manager->operation)), 6, false);
    terminal_append_cell(text, tool, 22, false);
    terminal_append_cell(text, slice_of(manager_class_name(scan_manager_class(manager))), 11, false);
    append_number_cell(text, manager->objects, 7);
    append_number_cell(text, manager->fields, 8);
    terminal_append_cell(text, slice_until(scan_time(manager->last), 10), 10, false);
    terminal_append_cell(text, slice_of(note_of(manager, page->how->now)), 7, false);
    append_kinds(text, manager);
    terminal_end_line(text);
}

static void append_managers(const struct scan_page *page)
{
    const struct name_table *managers = &page->summary->managers;
    size_t limit = page->summary->keeps_all ? managers->count : SCAN_ROWS_MAX;
    if (!managers->count)
        return;
    scan_page_append_heading(page, "Who owns what");
    text_append_string(
        page->text,
        "  manager                         writes  tool                    class        objects    fields  "
        "last write  note     kinds\n");
    for (size_t i = 0; i < managers->count && i < limit; i++)
        append_manager(page, name_table_item(managers, i));
    if (managers->count > limit)
        text_append_all(
            page->text, "  and ", as_count(managers->count - limit, "more manager", "more managers"),
            ", with --all\n");
}

/* Fields that people set by hand, and since when. */
static void append_by_hand(const struct scan_page *page)
{
    const struct name_table *managers = &page->summary->managers;
    bool any = false;
    for (size_t i = 0; i < managers->count; i++) {
        const struct scan_manager *manager = name_table_item(managers, i);
        if (scan_manager_class(manager) != CLASS_AD_HOC)
            continue;
        if (!any)
            scan_page_append_heading(page, "Set by hand");
        any = true;
        text_append_all(
            page->text, "  ", as_printable(manager->name), " still owns ",
            as_count(manager->fields, "field", "fields"), " of ",
            as_count(manager->objects, "object", "objects"));
        if (manager->first[0])
            text_append_all(page->text, ", the oldest since ", slice_until(scan_time(manager->first), 10));
        text_append_string(page->text, "\n");
    }
}

void scan_append_text(struct text *text, const struct scan_summary *summary, const struct scan_text *how)
{
    const struct scan_page page = {.text = text, .summary = summary, .how = how};
    text_append_all(
        text, as_count(summary->objects, "object", "objects"), " of ",
        as_count(summary->kinds.count, "kind", "kinds"), ", ",
        as_count(summary->managers.count, "field manager", "field managers"), "\n");
    if (!summary->objects)
        text_append_string(
            text, "No object was found: compare the namespace and the kinds with those of kubectl get.\n");
    append_first(&page);
    append_findings(&page);
    append_managers(&page);
    append_by_hand(&page);
    scan_page_append_overlaps(&page);
    scan_page_append_readiness(&page);
    scan_page_append_budget(&page);
    scan_page_append_limits(&page);
}

/*
 * The report for people: on one page, first what to do, then who owns what, and what the cluster is like.
 */
#include "base/array_size.h"
#include "base/terminal.h"
#include "base/terminal_columns.h"
#include "base/utc_time.h"
#include "commands/scan/scan.h"

/* Rows of a table on one page. */
#define ROWS_MAX 12

/* How many things to do first. */
#define FIRST_MAX 5

/* Days after which a manager that has not written counts as gone, and days for which one is new. */
#define STALE_DAYS 180
#define NEW_DAYS 7

struct page {
    struct text *text;
    const struct scan_summary *summary;
    const struct scan_text *how;
};

static void heading(const struct page *page, const char *words)
{
    text_append_string(page->text, "\n");
    terminal_append_coloured(page->text, TERMINAL_HEADING, words, page->how->colour);
    text_append_string(page->text, "\n");
}

static void append_count(struct text *text, uint64_t number, const char *one, const char *several)
{
    text_append_number(text, number);
    text_append_string(text, " ");
    text_append_string(text, number == 1 ? one : several);
}

/* 17.3 MiB */
static void append_bytes(struct text *text, uint64_t bytes)
{
    static const char *const units[] = {" bytes", " KiB", " MiB", " GiB"};
    size_t unit = 0;
    uint64_t tenths = bytes * 10;
    while (tenths >= 10240 && unit + 1 < ARRAY_SIZE(units)) {
        tenths /= 1024;
        unit++;
    }
    text_append_number(text, tenths / 10);
    if (unit && tenths < 1000) {
        text_append_string(text, ".");
        text_append_number(text, tenths % 10);
    }
    text_append_string(text, units[unit]);
}

/* The first things to do */

/* The worst first: leaks, then rules about the next failure, then faults without visible effect. */
static const enum rule_id first_rules[] = {
    RULE_last_applied_secret,  RULE_oversized_annotations,
    RULE_next_conflict,        RULE_autoscaled_replicas,
    RULE_multiple_appliers,    RULE_mixed_apply,
    RULE_last_applied_invalid, RULE_applyset,
    RULE_undone_change,        RULE_orphaned_fields,
    RULE_duplicate_list_key,   RULE_ambiguous_merge_key,
    RULE_managedfields_health,
};

static void append_example(const struct page *page, enum rule_id rule, size_t number)
{
    struct text *text = page->text;
    text_append_string(text, "  ");
    text_append(text, page->summary->examples[rule].messages[number]);
    text_append_string(text, " [");
    text_append_string(text, rules[rule].name);
    text_append_string(text, "]\n");
}

static void append_first(const struct page *page)
{
    size_t shown = 0;
    for (size_t round = 0; round < SCAN_EXAMPLES; round++) {
        for (size_t i = 0; i < ARRAY_SIZE(first_rules) && shown < FIRST_MAX; i++) {
            enum rule_id rule = first_rules[i];
            if (page->summary->examples[rule].count <= round)
                continue;
            if (!shown++)
                heading(page, "Do these first");
            append_example(page, rule, round);
        }
    }
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

static void append_rule(const struct page *page, enum rule_id rule)
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
    text_append_string(text, rules[rule].summary);
    text_append_string(text, "\n");
    const struct scan_examples *examples = &page->summary->examples[rule];
    for (size_t i = 0; page->summary->keeps_all && i < examples->count; i++) {
        text_append_string(text, "           ");
        text_append(text, examples->messages[i]);
        text_append_string(text, "\n");
    }
}

static void append_findings(const struct page *page)
{
    bool any = false;
    for (int action = ACTION_DENY; action > ACTION_OFF; action--) {
        for (int rule = 0; rule < RULE_COUNT; rule++) {
            const uint64_t *numbers = page->summary->findings[rule];
            if (!scan_summary_findings(page->summary, (enum rule_id)rule) ||
                (int)strongest(numbers) != action)
                continue;
            if (!any)
                heading(page, "Findings");
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
        const struct scan_count *kind = scan_table_item(&manager->kinds, i);
        text_append_string(text, shown ? ", " : "");
        text_append_printable(text, kind->name);
        text_append_string(text, " ");
        text_append_number(text, kind->number);
    }
    if (manager->kinds.count > shown)
        text_append_string(text, ", …");
}

static void append_number_cell(struct text *text, uint64_t number, size_t columns)
{
    struct text digits = text_start(text->arena, 16);
    text_append_number(&digits, number);
    terminal_append_cell(text, text_slice(&digits), columns, true);
}

static void append_manager(const struct page *page, const struct scan_manager *manager)
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

static void append_managers(const struct page *page)
{
    const struct scan_table *managers = &page->summary->managers;
    size_t limit = page->summary->keeps_all ? managers->count : ROWS_MAX;
    if (!managers->count)
        return;
    heading(page, "Who owns what");
    text_append_string(
        page->text,
        "  manager                         writes  tool                    class        objects    fields  "
        "last write  note     kinds\n");
    for (size_t i = 0; i < managers->count && i < limit; i++)
        append_manager(page, scan_table_item(managers, i));
    if (managers->count > limit) {
        text_append_string(page->text, "  and ");
        append_count(page->text, managers->count - limit, "more manager", "more managers");
        text_append_string(page->text, ", with --all\n");
    }
}

/* Fields that people set by hand, and since when. */
static void append_by_hand(const struct page *page)
{
    const struct scan_table *managers = &page->summary->managers;
    bool any = false;
    for (size_t i = 0; i < managers->count; i++) {
        const struct scan_manager *manager = scan_table_item(managers, i);
        if (scan_manager_class(manager) != CLASS_AD_HOC)
            continue;
        if (!any)
            heading(page, "Set by hand");
        any = true;
        text_append_string(page->text, "  ");
        text_append_printable(page->text, manager->name);
        text_append_string(page->text, " still owns ");
        append_count(page->text, manager->fields, "field", "fields");
        text_append_string(page->text, " of ");
        append_count(page->text, manager->objects, "object", "objects");
        if (manager->first[0]) {
            text_append_string(page->text, ", the oldest since ");
            text_append(page->text, slice_until(scan_time(manager->first), 10));
        }
        text_append_string(page->text, "\n");
    }
}

/*
 * The cluster
 */

static void append_share(struct text *text, uint64_t part, uint64_t whole)
{
    text_append_string(text, " (");
    text_append_number(text, whole ? part * 100 / whole : 0);
    text_append_string(text, " %)");
}

static void append_largest(
    const struct page *page, const struct scan_large list[SCAN_LARGEST], const char *what)
{
    if (!list[0].bytes)
        return;
    text_append_string(page->text, "  most ");
    text_append_string(page->text, what);
    text_append_string(page->text, ": ");
    for (size_t i = 0; i < SCAN_LARGEST && list[i].bytes; i++) {
        text_append_string(page->text, i ? ", " : "");
        text_append(page->text, list[i].object);
        text_append_string(page->text, " ");
        append_bytes(page->text, list[i].bytes);
        if (i == 1 && !page->summary->keeps_all)
            break;
    }
    text_append_string(page->text, "\n");
}

static void append_budget(const struct page *page)
{
    struct text *text = page->text;
    const struct scan_budget *budget = &page->summary->budget;
    heading(page, "Budget");
    text_append_string(text, "  ");
    append_bytes(text, budget->objects);
    text_append_string(text, " of objects: managedFields ");
    append_bytes(text, budget->managed_fields);
    append_share(text, budget->managed_fields, budget->objects);
    text_append_string(text, ", annotations ");
    append_bytes(text, budget->annotations);
    append_share(text, budget->annotations, budget->objects);
    text_append_string(text, "\n");
    if (budget->last_applied) {
        text_append_string(text, "  server-side apply would free the last-applied annotations: ");
        append_bytes(text, budget->last_applied);
        append_share(text, budget->last_applied, budget->objects);
        text_append_string(text, "\n");
    }
    append_largest(page, page->summary->annotations, "annotations");
    append_largest(page, page->summary->managed_fields, "managedFields");
}

static void append_readiness(const struct page *page)
{
    struct text *text = page->text;
    const uint64_t *readiness = page->summary->readiness;
    if (!readiness[SCAN_READY] && !readiness[SCAN_MIGRATE] && !readiness[SCAN_STUCK])
        return;
    heading(page, "Server-side apply");
    text_append_string(text, "  ");
    append_count(text, readiness[SCAN_READY], "object is", "objects are");
    text_append_string(text, " ready");
    if (readiness[SCAN_MIGRATE]) {
        text_append_string(text, ", ");
        append_count(text, readiness[SCAN_MIGRATE], "needs", "need");
        text_append_string(text, " applyguard migrate KIND/NAME -n NAMESPACE --to MANAGER -o command");
    }
    if (readiness[SCAN_STUCK]) {
        text_append_string(text, ", ");
        append_count(text, readiness[SCAN_STUCK], "has", "have");
        text_append_string(text, " fields that no apply removes (orphaned-fields)");
    }
    text_append_string(text, "\n");
}

static void append_list(const struct page *page, const char *words, const struct scan_table *names)
{
    if (!names->count)
        return;
    text_append_string(page->text, "  ");
    text_append_string(page->text, words);
    for (size_t i = 0; i < names->count; i++) {
        text_append_string(page->text, i ? ", " : " ");
        text_append_printable(page->text, *(const struct slice *)scan_table_item(names, i));
    }
    text_append_string(page->text, "\n");
}

static void append_limits(const struct page *page)
{
    const struct scan_summary *summary = page->summary;
    if (!summary->forbidden.count && !summary->dropped && !summary->unowned && !summary->old_versions.count)
        return;
    heading(page, "Not known");
    append_list(page, "you may not list:", &summary->forbidden);
    append_list(
        page, "managedFields in versions that the cluster does not serve any more:", &summary->old_versions);
    if (summary->dropped) {
        text_append_string(page->text, "  ");
        append_count(page->text, summary->dropped, "object comes", "objects come");
        text_append_string(
            page->text,
            " without managedFields, which the client left out: use kubectl get --show-managed-fields\n");
    }
    if (summary->unowned) {
        text_append_string(page->text, "  ");
        append_count(page->text, summary->unowned, "object has", "objects have");
        text_append_string(page->text, " no managedFields, so no manager is known to own anything in it\n");
    }
}

void scan_append_text(struct text *text, const struct scan_summary *summary, const struct scan_text *how)
{
    const struct page page = {.text = text, .summary = summary, .how = how};
    append_count(text, summary->objects, "object", "objects");
    text_append_string(text, " of ");
    append_count(text, summary->kinds.count, "kind", "kinds");
    text_append_string(text, ", ");
    append_count(text, summary->managers.count, "field manager", "field managers");
    text_append_string(text, "\n");
    append_first(&page);
    append_findings(&page);
    append_managers(&page);
    append_by_hand(&page);
    append_readiness(&page);
    append_budget(&page);
    append_limits(&page);
}

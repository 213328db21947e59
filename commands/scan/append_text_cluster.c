#include "commands/scan/text_page.h"

#include "base/array_size.h"
#include "base/terminal.h"
#include "base/terminal_columns.h"

void scan_page_append_heading(const struct scan_page *page, const char *words)
{
    text_append_string(page->text, "\n");
    terminal_append_coloured(page->text, TERMINAL_HEADING, words, page->how->colour);
    text_append_string(page->text, "\n");
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
    if (unit && tenths < 1000)
        text_append_all(text, ".", tenths % 10);
    text_append_string(text, units[unit]);
}

static void append_share(struct text *text, uint64_t part, uint64_t whole)
{
    text_append_all(text, " (", whole ? part * 100 / whole : 0, " %)");
}

static void append_largest(
    const struct scan_page *page, const struct scan_large list[SCAN_LARGEST], const char *what)
{
    if (!list[0].bytes)
        return;
    text_append_all(page->text, "  most ", what, ": ");
    for (size_t i = 0; i < SCAN_LARGEST && list[i].bytes; i++) {
        text_append_all(page->text, i ? ", " : "", as_printable(list[i].kind), " ");
        scan_append_large(page->text, &list[i]);
        text_append_string(page->text, " ");
        append_bytes(page->text, list[i].bytes);
        if (i == 1 && !page->summary->keeps_all)
            break;
    }
    text_append_string(page->text, "\n");
}

/* Deployment.apps: shop/web 12.3 KiB, … */
static void append_largest_of_kind(struct text *text, const struct scan_kind *kind)
{
    text_append_all(text, "  largest ", as_printable(kind->name));
    for (size_t i = 0; i < SCAN_LARGEST_OF_KIND && kind->largest[i].bytes; i++) {
        text_append_string(text, i ? ", " : ": ");
        scan_append_large(text, &kind->largest[i]);
        text_append_string(text, " ");
        append_bytes(text, kind->largest[i].bytes);
    }
    text_append_string(text, "\n");
}

void scan_page_append_budget(const struct scan_page *page)
{
    struct text *text = page->text;
    const struct scan_budget *budget = &page->summary->budget;
    scan_page_append_heading(page, "Budget");
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
    for (size_t i = 0; i < page->summary->kinds.count; i++) {
        const struct scan_kind *kind = name_table_item(&page->summary->kinds, i);
        if (kind->largest)
            append_largest_of_kind(text, kind);
    }
}

void scan_page_append_overlaps(const struct scan_page *page)
{
    const struct scan_summary *summary = page->summary;
    size_t limit = summary->keeps_all ? summary->overlap_count : SCAN_ROWS_MAX;
    if (!summary->overlap_count)
        return;
    scan_page_append_heading(page, "Overlapping selectors");
    for (size_t i = 0; i < summary->overlap_count && i < limit; i++) {
        text_append_string(page->text, "  ");
        scan_append_overlap(page->text, &summary->overlaps[i]);
        text_append_string(page->text, "\n");
    }
    if (summary->overlap_count > limit)
        text_append_all(page->text, "  and ", summary->overlap_count - limit, " more, with --all\n");
}

static void append_tasks(const struct scan_page *page, enum scan_readiness readiness)
{
    const struct scan_tasks *tasks = &page->summary->tasks[readiness];
    for (size_t i = 0; i < tasks->count; i++) {
        text_append_string(page->text, "  ");
        terminal_append_cell(page->text, slice_of(scan_readiness_name(readiness)), 7, false);
        text_append_all(page->text, tasks->items[i].object, ": ", tasks->items[i].what, "\n");
    }
}

void scan_page_append_readiness(const struct scan_page *page)
{
    struct text *text = page->text;
    const uint64_t *readiness = page->summary->readiness;
    if (!readiness[SCAN_READY] && !readiness[SCAN_MIGRATE] && !readiness[SCAN_STUCK])
        return;
    scan_page_append_heading(page, "Server-side apply");
    text_append_all(text, "  ", as_count(readiness[SCAN_READY], "object is", "objects are"), " ready");
    if (readiness[SCAN_MIGRATE])
        text_append_all(
            text, ", ", as_count(readiness[SCAN_MIGRATE], "needs", "need"),
            " applyguard migrate KIND/NAME -n NAMESPACE --to MANAGER -o command");
    if (readiness[SCAN_STUCK])
        text_append_all(
            text, ", ", as_count(readiness[SCAN_STUCK], "has", "have"),
            " fields that no apply removes (orphaned-fields)");
    text_append_string(text, "\n");
    if (page->summary->without_last_applied)
        text_append_all(
            text, "  ",
            as_count(
                page->summary->without_last_applied, "object that is applied server-side has",
                "objects that are applied server-side have"),
            " no last-applied annotation: tools that read it, such as kubent and Pluto, miss them\n");
    append_tasks(page, SCAN_MIGRATE);
    append_tasks(page, SCAN_STUCK);
}

/* Names, and with `has_numbers` the entries of managedFields for each. */
static void append_list(
    const struct scan_page *page, const char *words, const struct name_table *names, bool has_numbers)
{
    if (!names->count)
        return;
    text_append_all(page->text, "  ", words);
    for (size_t i = 0; i < names->count; i++) {
        text_append_string(page->text, i ? ", " : " ");
        const struct scan_count *count = name_table_item(names, i);
        text_append_printable(page->text, count->name);
        if (!has_numbers)
            continue;
        text_append_all(page->text, " (", as_count(count->number, "entry)", "entries)"));
    }
    text_append_string(page->text, "\n");
}

void scan_page_append_limits(const struct scan_page *page)
{
    const struct scan_summary *summary = page->summary;
    if (!summary->forbidden.count && !summary->dropped && !summary->unowned && !summary->old_versions.count &&
        !summary->unread_releases)
        return;
    scan_page_append_heading(page, "Not known");
    append_list(page, "you may not list:", &summary->forbidden, false);
    append_list(
        page, "managedFields in versions that the cluster no longer serves, and drops at the next write:",
        &summary->old_versions, true);
    if (summary->dropped)
        text_append_all(
            page->text, "  ", as_count(summary->dropped, "object comes", "objects come"),
            " without managedFields, which the client left out: use kubectl get --show-managed-fields\n");
    if (summary->unowned)
        text_append_all(
            page->text, "  ", as_count(summary->unowned, "object has", "objects have"),
            " no managedFields, so no owner of a field is known\n");
    if (summary->unread_releases)
        text_append_all(
            page->text, "  ",
            as_count(
                summary->unread_releases, "Helm release, or object of one, is",
                "Helm releases, or objects of them, are"),
            " not compared: damaged, or too large\n");
}

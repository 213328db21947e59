/*
 * text_page.h: the parts of the report for people that are about the cluster as a whole. Private to
 * commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_TEXT_PAGE_H
#define APPLYGUARD_COMMANDS_SCAN_TEXT_PAGE_H

#include "commands/scan/scan.h"

/* Rows of a table on one page. */
#define SCAN_ROWS_MAX 12

struct scan_page {
    struct text *text;
    const struct scan_summary *summary;
    const struct scan_text *how;
};

void scan_page_append_heading(const struct scan_page *page, const char *words);

/* How ready the objects are for server-side apply; with `keeps_all` what each one needs. */
void scan_page_append_readiness(const struct scan_page *page);

/* Workloads that select each other's pods. */
void scan_page_append_overlaps(const struct scan_page *page);

/* The largest objects, and the bytes that server-side apply would free. */
void scan_page_append_budget(const struct scan_page *page);

/* The limits of the scan: kinds that could not be listed, objects without managedFields, old versions. */
void scan_page_append_limits(const struct scan_page *page);

#endif

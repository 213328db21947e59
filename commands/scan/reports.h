/*
 * reports.h: findings as reports of the Policy Working Group: Report of openreports.io/v1alpha1, or
 * PolicyReport of wgpolicyk8s.io/v1alpha2. Both have the same form.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_REPORTS_H
#define APPLYGUARD_COMMANDS_SCAN_REPORTS_H

#include "base/name_table.h"
#include "base/text.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* A report has at most so many results: an object of a cluster is at most 1.5 MiB. Its summary counts all. */
#define SCAN_RESULTS_MAX 500

/* The name and the label of each report. */
#define SCAN_REPORT_NAME "applyguard-scan"
#define SCAN_REPORT_LABEL "app.kubernetes.io/managed-by"

/* One report a namespace, and one for objects without a namespace; only of those that have failures. */
struct scan_reports {
    struct arena *arena;
    struct name_table items; /* by namespace */
    int64_t now;             /* seconds since 1970 UTC */
};

void scan_reports_start(struct scan_reports *reports, struct arena *arena, int64_t now);

/* Adds the findings that deny, as failures, and that warn. Returns false if memory runs out. */
bool scan_reports_add(struct scan_reports *reports, const struct verdict *verdict);

/* Whether there is a report for the namespace; empty: for objects without one. */
bool scan_reports_have(const struct scan_reports *reports, struct slice space);

/* All reports as a List of this apiVersion and kind; "Cluster" in front of the kind if there is no namespace.
 */
void scan_reports_append(
    const struct scan_reports *reports, struct slice api_version, struct slice kind, struct text *text);

#endif

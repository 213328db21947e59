/* scan_reports.h: scan -o policyreport --write. */
#ifndef APPLYGUARD_CLI_SCAN_REPORTS_H
#define APPLYGUARD_CLI_SCAN_REPORTS_H

#include "cli/cluster.h"
#include "commands/scan/reports.h"

/* The kind of reports that a cluster serves. */
struct scan_report_kind {
    const char *api_version;
    const char *kind;             /* Report */
    const char *resource, *other; /* reports.openreports.io, and for objects without a namespace */
};

/* Finds it. NULL: the cluster serves none, or cannot be asked; the error is set. */
const struct scan_report_kind *scan_report_kind_find(
    const struct cluster_options *options, struct error *error);

/*
 * Writes the reports through kubectl, or in a pod without it as its service account, deletes older ones that
 * have nothing to report any more, and prints how many there were. Returns -1 and sets the error.
 */
int scan_reports_write(
    const struct cluster_options *options, const struct scan_report_kind *kind,
    const struct scan_reports *reports, struct error *error);

#endif

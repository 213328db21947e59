/* scan_report_dir.h: the report of a scan in a directory, such as a volume of a pod. */
#ifndef APPLYGUARD_CLI_SCAN_REPORT_DIR_H
#define APPLYGUARD_CLI_SCAN_REPORT_DIR_H

#include "base/error.h"
#include "commands/scan/scan.h"

/*
 * Writes report.txt, summary.json and metrics.prom. Each replaces the one of an earlier scan only when it is
 * whole. Returns -1 and sets the error.
 */
int scan_write_report(
    const char *directory, const struct scan_summary *summary, uint64_t seconds, struct error *error);

#endif

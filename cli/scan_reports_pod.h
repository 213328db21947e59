/* scan_reports_pod.h: writes reports of a scan in a pod without kubectl, as the pod's service account. */
#ifndef APPLYGUARD_CLI_SCAN_REPORTS_POD_H
#define APPLYGUARD_CLI_SCAN_REPORTS_POD_H

#include "base/error.h"
#include "base/slice.h"

struct scan_report_writer;

/* Returns NULL and sets the error. */
struct scan_report_writer *scan_report_writer_open(struct error *error);

/* Accepts NULL. */
void scan_report_writer_close(struct scan_report_writer *writer);

/* A report, by its apiVersion, its resource such as reports, and its namespace; empty: it has none. */
struct scan_report_place {
    struct slice api_version, resource, namespace;
};

/* Applies the report server-side. Returns -1 and sets the error. */
int scan_report_writer_apply(
    struct scan_report_writer *writer, const struct scan_report_place *place, struct slice report,
    struct error *error);

/* Deletes it; one that is gone is deleted. Returns -1 and sets the error. */
int scan_report_writer_delete(
    struct scan_report_writer *writer, const struct scan_report_place *place, struct error *error);

#endif

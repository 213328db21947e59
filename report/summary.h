/*
 * summary.h: a report's summary in one line.
 */
#ifndef APPLYGUARD_REPORT_SUMMARY_H
#define APPLYGUARD_REPORT_SUMMARY_H

#include "base/text.h"
#include "report/report.h"

/* "12 objects in 3 files: 1 deny, 2 warn; 1 waived, 3 known, 1 problem", without a newline. */
void summary_append(struct text *text, const struct report_summary *summary);

/* Writes the summary as the last line of a report: the `end` of a writer. */
void summary_end(struct report *report, const struct report_summary *summary, struct text *text);

/* "2 more findings are not listed": for an object with very many findings. */
void summary_append_not_listed(struct text *text, size_t count);

#endif

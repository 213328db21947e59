/*
 * baseline.h: the findings and problems of a former report, so that only new ones are printed.
 *
 * A finding is known if the former report had one of the same rule, in the same fields of the same object in
 * the same file, on any line. Each finding of the former report makes one finding known: a second one is new.
 * A baseline has no waived findings: when their waiver is removed, they are new.
 *
 * For an object with more findings than a report lists, the former report has their number by action. As many
 * further findings of the object and action are known: when some are fixed, others are listed in their place.
 */
#ifndef APPLYGUARD_REPORT_BASELINE_H
#define APPLYGUARD_REPORT_BASELINE_H

#include "base/error.h"
#include "base/slice.h"
#include "report/report.h"

#include <stdbool.h>

struct baseline;

/*
 * Reads what `-o json` printed. `text` need not outlive the call. Rules and keys that this version does not
 * know are ignored. Returns NULL and sets the error, with its line, if a line is not such an item or memory
 * runs out. Linear in the bytes; takes less memory than twice the text, and the memory of one line while it
 * is read.
 */
struct baseline *baseline_read(struct slice text, struct error *error);

/*
 * Whether the baseline has the finding. Counts one of them as used. Returns false for a waived finding, and
 * if memory runs out: new findings must not be lost.
 */
bool baseline_take(
    struct baseline *baseline, const struct report_item *item, const struct report_finding *finding);

/*
 * Does the same for all findings of an action that the report does not list, after the listed ones: false if
 * the object has more of the action than the baseline, so that some are new.
 */
bool baseline_take_dropped(struct baseline *baseline, const struct report_item *item, enum action action);

/*
 * Whether the baseline has this problem of the input, on any line. Counts one of them as used. Returns false
 * if memory runs out.
 */
bool baseline_take_problem(struct baseline *baseline, struct slice file, struct slice sentence);

/* Accepts NULL. */
void baseline_destroy(struct baseline *baseline);

#endif

/*
 * baseline.h: the findings and problems of a former report, so that only new ones are printed.
 *
 * A finding is known if the former report had one of the same rule, in the same fields of the same object in
 * the same file, wherever it stood. Each one there makes one known: a second of the same is new. Waived
 * findings are no part of a baseline: when their waiver goes, they are new.
 *
 * Of an object with more findings than are listed the former report has a number by action. As many others of
 * the object and action are known: when some are mended, others are listed in their place.
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
 * know are ignored. Returns NULL, with the line of the error, if a line is not such an item or there is no
 * memory. Linear in the bytes; takes less memory than twice the text, and a line's own while it is read.
 */
struct baseline *baseline_read(struct slice text, struct error *error);

/*
 * Whether the baseline has the finding, which it then has one time less. False, too, for a waived finding,
 * and if there is no memory: what is new must not be lost.
 */
bool baseline_take(
    struct baseline *baseline, const struct report_item *item, const struct report_finding *finding);

/*
 * The same for all of the action that are not listed, after those that are: false if the object has more of
 * the action than the baseline, so that some are new.
 */
bool baseline_take_dropped(struct baseline *baseline, const struct report_item *item, enum action action);

/*
 * Whether the baseline has this problem of the input, wherever in it, which it then has one time less. False
 * if there is no memory.
 */
bool baseline_take_problem(struct baseline *baseline, struct slice file, struct slice sentence);

/* Accepts NULL. */
void baseline_destroy(struct baseline *baseline);

#endif

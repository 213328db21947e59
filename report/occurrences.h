/*
 * occurrences.h: a name for each finding that stays when lines move, and that is unique.
 *
 * Code scanning and code quality treat two findings with one fingerprint as one. So the second finding with
 * the same parts in a file gets another name, by its number. Needs one node for each finding of the current
 * file.
 */
#ifndef APPLYGUARD_REPORT_OCCURRENCES_H
#define APPLYGUARD_REPORT_OCCURRENCES_H

#include "base/arena.h"
#include "base/text.h"
#include "report/report.h"
#include "report/tally.h"

#include <stddef.h>
#include <stdint.h>

/* Zero at first, except for the arena, which is reset for each file. */
struct occurrences {
    struct arena *arena;
    uint64_t file; /* a hash of its name */
    struct tally tally;
};

struct occurrence {
    uint64_t fingerprint;
    size_t number; /* from 1 */
};

/* `text` is the output: it fails if memory runs out. */
struct occurrence occurrences_add(
    struct occurrences *occurrences, const struct report_item *item, const struct report_finding *finding,
    struct text *text);

/* The fingerprint of a finding, as a baseline compares it. */
uint64_t finding_fingerprint(
    const struct report_item *item, const struct report_finding *finding, struct arena *scratch);

#endif

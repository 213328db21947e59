/*
 * selectors.h: workloads of one namespace that select each other's pods. Private to commands/scan/.
 *
 * A controller counts, and adopts, pods that its selector matches. Labels are kept as hashes, so a workload
 * takes a few hundred bytes.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_SELECTORS_H
#define APPLYGUARD_COMMANDS_SCAN_SELECTORS_H

#include "commands/scan/summary.h"

/* Workloads of one cluster that are compared: memory is bounded. */
#define SCAN_WORKLOADS_MAX ((size_t)65536)

struct scan_selectors {
    struct arena *arena;
    struct name_table workloads; /* by kind, namespace and name */
    struct name_table labels;    /* by the hash of a label: the workloads whose pods have it */
};

/* The arena is of the cluster. */
void scan_selectors_start(struct scan_selectors *selectors, struct arena *arena);

/* Keeps the selector and the pod labels of a workload. Returns false if memory runs out. */
bool scan_selectors_add(struct scan_selectors *selectors, const struct review *review);

/*
 * Adds the overlaps to the summary, each once. A selector that labels of a pod template cannot decide alone
 * overlaps with nothing. Returns false if memory runs out.
 */
bool scan_selectors_find(
    const struct scan_selectors *selectors, struct slice cluster, struct scan_summary *summary);

#endif

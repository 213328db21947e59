/*
 * first.h: what to do first. Private to commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_FIRST_H
#define APPLYGUARD_COMMANDS_SCAN_FIRST_H

#include "commands/scan/summary.h"

#define SCAN_FIRST_MAX 5

struct scan_first {
    enum rule_id rule;
    const struct scan_example *example;
};

/* Finds the first things to do: one of each rule, the worst first, then the second ones. Returns their
 * number. */
size_t scan_first_find(const struct scan_summary *summary, struct scan_first first[SCAN_FIRST_MAX]);

/* The message without its command. */
struct slice scan_first_sentence(const struct scan_first *first);

#endif

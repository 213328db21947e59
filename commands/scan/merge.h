/*
 * merge.h: the results of shards, as one.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_MERGE_H
#define APPLYGUARD_COMMANDS_SCAN_MERGE_H

#include "base/error.h"
#include "commands/scan/summary.h"

enum scan_merged {
    SCAN_MERGED_OBJECT,  /* the line of an object: its findings are examples of the summary */
    SCAN_MERGED_SUMMARY, /* its sums were added */
    SCAN_MERGED_OTHER,   /* no line of a shard; the error is set */
};

/* Reads a line of a shard's JSON. */
enum scan_merged scan_merge_line(struct scan_summary *summary, struct slice line, struct error *error);

#endif

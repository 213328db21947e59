/*
 * merge.h: results of shards, as one. Private to commands/replay/.
 *
 * Each shard reads the same logs, and counts all events alike, so the number of its event puts a line in
 * order.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_MERGE_H
#define APPLYGUARD_COMMANDS_REPLAY_MERGE_H

#include "base/error.h"
#include "commands/replay/summary.h"

#include <stdint.h>

#define REPLAY_MERGE_NO_RESULT "it is no result of replay --shard -o json"

enum replay_merged {
    REPLAY_MERGED_WRITE,   /* a write: `*number` and `*line` are set; replay_row_read() reads it */
    REPLAY_MERGED_SUMMARY, /* the sums, which are added */
    REPLAY_MERGED_OTHER,   /* no line of a shard; `error` is filled */
};

/*
 * Reads a line of a shard's result, without its line break. `*line` is the line as one run prints it: without
 * the number. The arena is for this call.
 */
enum replay_merged replay_merge_line(
    struct slice json, struct replay_summary *summary, uint64_t *number, struct slice *line,
    struct arena *arena, struct error *error);

#endif

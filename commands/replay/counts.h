/*
 * counts.h: how often each name was counted, for the tables of a summary. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_COUNTS_H
#define APPLYGUARD_COMMANDS_REPLAY_COUNTS_H

#include "base/name_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names beyond so many are counted under REPLAY_OTHER_NAMES: clients choose names, and memory is bounded. */
#define REPLAY_NAMES_MAX ((size_t)16384)
#define REPLAY_OTHER_NAMES "(others)"

/* Longer names are cut. */
#define REPLAY_NAME_BYTES_MAX ((size_t)512)

/* How many numbers a name has. */
#define REPLAY_COLUMNS 4

struct replay_count {
    struct slice name;
    uint64_t values[REPLAY_COLUMNS];
};

/* A table of such rows without any. */
struct name_table replay_counts_start(struct arena *arena);

/* The row at the index, from 0 on. */
struct replay_count *replay_counts_item(const struct name_table *counts, size_t index);

/*
 * The row of a name of several parts, as they are printed. It is added if it is missing, to change its
 * numbers before the next call; others of the table may have moved. The arena is for this call. NULL: out of
 * memory.
 */
struct replay_count *replay_counts_row_of_parts(
    struct name_table *counts, const struct slice *parts, size_t count, struct arena *arena);

/* A part of such a name, from 0 on. Empty for a name that has fewer of them. */
struct slice replay_counts_part(struct slice name, size_t index);

/* Adds to one of the name's numbers. False: out of memory. */
bool replay_counts_add(struct name_table *counts, struct slice name, size_t column, uint64_t number);

/*
 * The next name behind `last` (NULL: the first) by its numbers, the last column first and the largest first.
 * NULL: no more. For a few names only: each takes a look at all.
 */
const struct replay_count *replay_counts_next(
    const struct name_table *counts, const struct replay_count *last);

/* The rows with at least this number in the column, but for REPLAY_OTHER_NAMES. False: out of memory. */
bool replay_counts_at_least(
    const struct name_table *counts, size_t column, uint64_t least, struct arena *arena,
    struct name_table *found);

/* Orders the names by their bytes. Nothing is counted after that. */
void replay_counts_sort(struct name_table *counts);

#endif

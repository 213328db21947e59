/*
 * name_table.h: records by name, in the order in which they were added.
 */
#ifndef APPLYGUARD_BASE_NAME_TABLE_H
#define APPLYGUARD_BASE_NAME_TABLE_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer names are cut: clients choose names, and memory is bounded. */
#define NAME_TABLE_BYTES_MAX ((size_t)1024)

/* A record type begins with its name: a struct slice. All zero but for the arena and the sizes: empty. */
struct name_table {
    struct arena *arena;
    size_t record_bytes;
    size_t limit; /* of records; 0: none */
    char *records;
    size_t count;
    size_t capacity;
    uint32_t *places; /* a hash table of indices, plus 1 */
    size_t place_count;
    uint64_t left_out; /* how often a new name came when the table was full */
};

/*
 * The record of the name, which is added with all other members zero if it is new. It may move when the next
 * one is added. NULL: memory runs out, or the table is full (`left_out` grows then).
 */
void *name_table_add(struct name_table *table, struct slice name);

/* NULL: no record has this name. */
void *name_table_find(const struct name_table *table, struct slice name);

void *name_table_item(const struct name_table *table, size_t index);

/* Orders the records, such as with slice_compare_items by their names. Nothing is added or found after that.
 */
void name_table_sort(struct name_table *table, int (*compare)(const void *, const void *));

#endif

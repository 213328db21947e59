/*
 * lines.h: the lines of objects, until everything about them is known. Private to commands/scan/.
 *
 * They wait in a temporary file: an object has one line, and what other objects show about it is found last.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_LINES_H
#define APPLYGUARD_COMMANDS_SCAN_LINES_H

#include "base/slice.h"
#include "policy/review/review.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct scan_late_line;

struct scan_lines {
    FILE *file;
    uint64_t *keys; /* of the lines in the file, in order */
    size_t count, capacity;
    struct scan_late_line *late;
    size_t late_count, late_capacity;
};

/* Returns false, and errno says why. */
bool scan_lines_start(struct scan_lines *lines);
void scan_lines_release(struct scan_lines *lines);

/* A key that distinguishes the lines of different objects. `cluster` may be empty. */
uint64_t scan_lines_key(const struct review *review, struct slice cluster);

/* Adds a line of scan_append_line. Returns false, and errno says why. */
bool scan_lines_add(struct scan_lines *lines, uint64_t key, struct slice line);

/* The same for more findings about an object, which may have a line already. */
bool scan_lines_add_late(struct scan_lines *lines, uint64_t key, struct slice line);

/* Called with each line, whole. Returning false ends the reading. */
typedef bool scan_lines_visit(void *context, struct slice line);

/* Visits all lines, in the order in which they came. Returns false if one cannot be read. */
bool scan_lines_read(struct scan_lines *lines, scan_lines_visit *visit, void *context);

#endif

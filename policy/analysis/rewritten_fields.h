/*
 * rewritten_fields.h: fields whose ownership a request rewrote, printed, sorted and each once.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_REWRITTEN_FIELDS_H
#define APPLYGUARD_POLICY_ANALYSIS_REWRITTEN_FIELDS_H

#include "base/arena.h"
#include "policy/fieldset/path.h"

#include <stdbool.h>
#include <stddef.h>

/* The limit of fields that are compared, each counted for each owner. Beyond it only `at_least` is set. */
#define REWRITES_MAX 1024

/* All zero: none yet. */
struct rewritten_fields {
    struct slice *items; /* NULL: none yet */
    size_t count;
    bool at_least; /* there are more */
};

void rewritten_fields_add(struct rewritten_fields *fields, const struct path *path, struct arena *arena);

/* Adds the fields of another list. */
void rewritten_fields_add_all(
    struct rewritten_fields *fields, const struct rewritten_fields *more, struct arena *arena);

/* Sorts them, and leaves each in once. */
void rewritten_fields_sort(struct rewritten_fields *fields);

#endif

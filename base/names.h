/*
 * names.h: the values of a flag that may be given several times.
 */
#ifndef APPLYGUARD_BASE_NAMES_H
#define APPLYGUARD_BASE_NAMES_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* Borrows the names, which are arguments of the program; owns the list. */
struct names {
    const char **items;
    size_t count;
};

/* False if memory runs out. */
bool names_add(struct names *names, const char *name);

void names_release(struct names *names);

/* The names in the arena; none if memory runs out. */
struct slice_list names_slices(const struct names *names, struct arena *arena);

/* As a flag's setter: adds a value. */
const char *names_flag(const char *value, void *field);

#endif

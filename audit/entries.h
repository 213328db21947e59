/*
 * entries.h: the entries of managedFields before and after a write, decoded once, each with the entry of the
 * same owner on the other side.
 */
#ifndef APPLYGUARD_AUDIT_ENTRIES_H
#define APPLYGUARD_AUDIT_ENTRIES_H

#include "base/arena.h"
#include "base/json.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct audit_entry {
    struct slice manager, subresource, version, time;
    yyjson_val *fields;
    const struct audit_entry *other; /* the same owner's on the other side; NULL: it has none */
    bool is_apply, is_update;
    bool is_same; /* the other side has the very same entry, as most do */
};

struct audit_entry_list {
    struct audit_entry *items;
    size_t count;
};

struct audit_entries {
    struct audit_entry_list before, after;
    bool are_too_many; /* to compare them, which takes quadratic time: both lists are empty */
};

/*
 * Reads the entries of two objects; `before` is NULL if the object did not exist. They live in the arena.
 * Owners are the same as they are for the API server: it identifies an Apply entry by its manager and
 * subresource, in any version, and an Update entry by its version, too. Returns false if memory runs out.
 */
bool audit_entries_read(
    yyjson_val *before, yyjson_val *after, struct arena *arena, struct audit_entries *entries);

bool audit_entry_is_of(const struct audit_entry *entry, const char *manager);

#endif

/*
 * lookup_state.h: the struct behind lookup.h, and the search in lists. Private to lookup*.c.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_LOOKUP_STATE_H
#define APPLYGUARD_POLICY_FIELDSET_LOOKUP_STATE_H

#include "base/effort.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/lookup_notes.h"

struct lookup {
    struct arena *arena;
    struct lookup_notes notes;
    struct effort effort;
};

/* Finds an item of a list by its key fields, or an item of a set by its value. */
enum lookup_result lookup_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found);

/* The same for a declared list, whose items may leave key fields to their defaults. */
enum lookup_result lookup_declared_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found);

#endif

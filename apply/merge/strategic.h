/*
 * strategic.h: strategic merge patches, made and applied (k8s.io/apimachinery, pkg/util/strategicpatch).
 *
 * A patch is a value like any other, with directives among its members. What goes wrong is told once, in
 * `error`; then all of these return NULL.
 */
#ifndef APPLYGUARD_APPLY_MERGE_STRATEGIC_H
#define APPLYGUARD_APPLY_MERGE_STRATEGIC_H

#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

#define DIRECTIVE SLICE("$patch")
#define RETAIN_KEYS SLICE("$retainKeys")
#define ELEMENT_ORDER SLICE("$setElementOrder")
#define DELETE_FROM_LIST SLICE("$deleteFromPrimitiveList")

/* Members and items that are copied in one apply: objects of 3 MiB, which is all that the API server takes,
 * do not come to half of it. */
#define STRATEGIC_COPIES_MAX ((size_t)2 * 1024 * 1024)

struct strategic {
    struct arena *arena;
    struct error *error;
    size_t copied;
    bool has_failed;
    bool has_given_up; /* STRATEGIC_COPIES_MAX was passed: kubectl would go on */
};

/* These return NULL. The sentence has no full stop. */
const struct value *strategic_refuse(struct strategic *strategic, const char *sentence);
const struct value *strategic_refuse_unknown(struct strategic *strategic); /* a field */
const struct value *strategic_no_memory(struct strategic *strategic);

/*
 * Counts what is copied. Items of a patch that have one key are merged one after another, and each time all
 * that came of those before is copied: without a bound that grows with their square. False: it was refused.
 */
bool strategic_copy(struct strategic *strategic, size_t count);

/* As value_list and value_map, where no memory is refused as well. */
const struct value *strategic_list(
    struct strategic *strategic, const struct value *const *items, size_t count);
const struct value *strategic_map(
    struct strategic *strategic, const struct value_member *members, size_t count);

/* How a field of a map merges. */
struct strategic_field {
    struct schema_ref type; /* of its value; of a list: of its items */
    struct slice key;       /* by which items are told apart; empty: there is none */
    bool merges;            /* a list: item by item */
    bool replaces;          /* a map: as a whole */
    bool retains_keys;
};

/* False: kubectl does not know how such a value merges here. */
bool strategic_map_field(struct schema_ref type, struct slice name, struct strategic_field *field);
bool strategic_list_field(struct schema_ref type, struct slice name, struct strategic_field *field);

/* Refuses the items of two lists that merge unless they are of one kind. False: they were refused. */
bool strategic_one_kind(struct strategic *strategic, const struct value *a, const struct value *b);

/* Whether it is a map with this text as its directive. */
bool strategic_has_directive(const struct value *value, struct slice text);

/* By what an item of a list that merges is known: the value of its key, or the item itself. */
struct strategic_key {
    struct slice text; /* as Go prints it */
    bool is_string;
    size_t position;
};

/* The items of a list by their keys: ascending by text; of the same ones the last comes first, as kubectl's
 * sort has them. */
struct strategic_index {
    const struct value *list;
    struct strategic_key *keys;
    size_t count;
};

/* `list` may be NULL: then there are none. False: an item has no key, or there is no memory. */
bool strategic_index_items(
    struct strategic *strategic, const struct value *list, struct slice key, struct strategic_index *index);

/* False: it was refused. */
bool strategic_key_of(
    struct strategic *strategic, const struct value *item, struct slice key, struct strategic_key *found);
bool strategic_same_key(const struct strategic_key *a, const struct strategic_key *b);

/* The position of the first item with the key, or SIZE_MAX. */
size_t strategic_find(const struct strategic_index *index, const struct strategic_key *key);

/* The items in the order of those in `index`; then those to delete. */
const struct value *strategic_sort(
    struct strategic *strategic, const struct value *list, struct slice key,
    const struct strategic_index *order);

/*
 * The patch that leads from one map to another: what is deleted, or what is added and changed. Both may hold
 * directives.
 */
enum strategic_part { STRATEGIC_CHANGES, STRATEGIC_DELETIONS };

const struct value *strategic_diff(
    struct strategic *strategic, struct schema_ref type, const struct value *before,
    const struct value *after, enum strategic_part part, bool retains_keys);

/* The map with a patch merged into it. `is_patch`: the map is a patch itself, and directives are kept. */
const struct value *strategic_merge(
    struct strategic *strategic, struct schema_ref type, const struct value *map, const struct value *patch,
    bool is_patch);

#endif

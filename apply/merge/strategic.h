/*
 * strategic.h: strategic merge patches, made and applied (k8s.io/apimachinery, pkg/util/strategicpatch).
 *
 * A patch is a value like any other, with directives among its members. The first failure is reported in
 * `error`; then all of these functions return NULL.
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

/*
 * The limit of members and items that one apply may copy: objects of 3 MiB, the largest that the API server
 * accepts, need less than half of it.
 */
#define STRATEGIC_COPIES_MAX ((size_t)2 * 1024 * 1024)

struct strategic {
    struct arena *arena;
    struct error *error;
    size_t copied;
    bool has_failed;
    bool has_given_up; /* STRATEGIC_COPIES_MAX was exceeded: kubectl would go on */
};

/* Both return NULL. The sentence has no full stop. */
const struct value *strategic_refuse(struct strategic *strategic, const char *sentence);
const struct value *strategic_refuse_unknown(struct strategic *strategic); /* a field */
const struct value *strategic_no_memory(struct strategic *strategic);

/*
 * Counts copied members and items. If many items of a patch have one key, each of them is merged into the
 * result of the others, which is copied each time: without a limit, the time would be quadratic. Returns
 * false if the limit was exceeded.
 */
bool strategic_copy(struct strategic *strategic, size_t count);

/* Like value_list and value_map, but refuses the patch if memory runs out. */
const struct value *strategic_list(
    struct strategic *strategic, const struct value *const *items, size_t count);
const struct value *strategic_map(
    struct strategic *strategic, const struct value_member *members, size_t count);

/* How a field of a map merges. */
struct strategic_field {
    struct schema_ref type; /* of its value; of a list: of its items */
    struct slice key;       /* identifies items; empty: none */
    bool merges;            /* a list: merges by items */
    bool replaces;          /* a map: is replaced as a whole */
    bool retains_keys;
};

/* Returns false if kubectl does not know how such a value merges here. */
bool strategic_map_field(struct schema_ref type, struct slice name, struct strategic_field *field);
bool strategic_list_field(struct schema_ref type, struct slice name, struct strategic_field *field);

/* Refuses the items of two merging lists unless they are of one kind. Returns false if they were refused. */
bool strategic_one_kind(struct strategic *strategic, const struct value *a, const struct value *b);

/* Whether the value is a map with this directive. */
bool strategic_has_directive(const struct value *value, struct slice text);

/* The identity of an item in a merging list: the value of its key, or the item itself. */
struct strategic_key {
    struct slice text; /* as Go prints it */
    bool is_string;
    size_t position;
};

/*
 * The items of a list by their keys: ascending by text; of equal items the last comes first, as after
 * kubectl's sort.
 */
struct strategic_index {
    const struct value *list;
    struct strategic_key *keys;
    size_t count;
};

/* `list` may be NULL: then the index is empty. Returns false if an item has no key, or memory runs out. */
bool strategic_index_items(
    struct strategic *strategic, const struct value *list, struct slice key, struct strategic_index *index);

/* Returns false if the item was refused. */
bool strategic_key_of(
    struct strategic *strategic, const struct value *item, struct slice key, struct strategic_key *found);
bool strategic_same_key(const struct strategic_key *a, const struct strategic_key *b);

/* The position of the first item with the key, or SIZE_MAX. */
size_t strategic_find(const struct strategic_index *index, const struct strategic_key *key);

/* The items in the order of `index`; then the items to delete. */
const struct value *strategic_sort(
    struct strategic *strategic, const struct value *list, struct slice key,
    const struct strategic_index *order);

/*
 * The patch from one map to another: its deletions, or its additions and changes. Both may contain
 * directives.
 */
enum strategic_part { STRATEGIC_CHANGES, STRATEGIC_DELETIONS };

const struct value *strategic_diff(
    struct strategic *strategic, struct schema_ref type, const struct value *before,
    const struct value *after, enum strategic_part part, bool retains_keys);

/* Merges a patch into the map. `is_patch`: the map is a patch itself, and directives are kept. */
const struct value *strategic_merge(
    struct strategic *strategic, struct schema_ref type, const struct value *map, const struct value *patch,
    bool is_patch);

#endif

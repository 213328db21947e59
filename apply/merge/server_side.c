#include "apply/merge/server_side.h"

#include "apply/merge/typed.h"
#include "base/array_size.h"

const struct field_set *untracked_fields(void)
{
    static const struct field_node metadata[] = {
        {SLICE_LITERAL("f:clusterName"), &field_set_empty, true},
        {SLICE_LITERAL("f:creationTimestamp"), &field_set_empty, true},
        {SLICE_LITERAL("f:generation"), &field_set_empty, true},
        {SLICE_LITERAL("f:managedFields"), &field_set_empty, true},
        {SLICE_LITERAL("f:name"), &field_set_empty, true},
        {SLICE_LITERAL("f:namespace"), &field_set_empty, true},
        {SLICE_LITERAL("f:resourceVersion"), &field_set_empty, true},
        {SLICE_LITERAL("f:selfLink"), &field_set_empty, true},
        {SLICE_LITERAL("f:uid"), &field_set_empty, true},
    };
    static const struct field_set below = {metadata, ARRAY_SIZE(metadata)};
    static const struct field_node object[] = {
        {SLICE_LITERAL("f:apiVersion"), &field_set_empty, true},
        {SLICE_LITERAL("f:kind"), &field_set_empty, true},
        {SLICE_LITERAL("f:metadata"), &below, true},
    };
    static const struct field_set all = {object, ARRAY_SIZE(object)};
    return &all;
}

bool field_is_untracked(const struct path *parent, struct slice name)
{
    const struct field_set *set = untracked_fields();
    if (parent && (parent->parent || !slice_equal(parent->text, SLICE("metadata"))))
        return false;
    if (parent)
        set = field_set_find(set, SLICE("f:metadata"))->below;
    for (size_t i = 0; i < set->count; i++)
        if (!set->nodes[i].below->count && slice_equal(slice_from(set->nodes[i].element, 2), name))
            return true;
    return false;
}

/* The fields of a value, including each struct that contains some. */
static const struct field_set *all_fields(
    struct schema_ref type, const struct value *value, struct arena *arena)
{
    return field_set_with_parents(typed_fields(type, value, arena), type, arena);
}

/*
 * Removes the fields that the applier had before and has no more, unless another manager owns them, or no
 * manager did.
 */
static const struct value *prune(
    struct schema_ref type, const struct value *merged, const struct field_set *before,
    const struct field_set *owned, struct arena *arena)
{
    const struct field_set *had = field_set_with_parents(before, type, arena);
    const struct field_set *there = all_fields(type, merged, arena);
    const struct field_set *stays = all_fields(type, typed_remove(type, merged, had, arena), arena);
    stays = field_set_union(stays, field_set_with_parents(owned, type, arena), arena);
    const struct field_set *removed = field_set_difference(there, stays, arena);
    if (field_set_is_empty(removed))
        return merged;
    const struct value *pruned = typed_remove(type, merged, removed, arena);
    const struct field_set *gone = field_set_difference(there, all_fields(type, pruned, arena), arena);
    return typed_remove(type, merged, field_set_intersection(gone, had, arena), arena);
}

/* The fields of all other managers, and the fields that the applier applies now. */
static const struct field_set *owned_by_all(
    const struct server_side_apply *apply, const struct field_set *applied, struct arena *arena)
{
    const struct field_set **sets = arena_allocate_array(arena, apply->owner_count, sizeof(*sets));
    for (size_t i = 0; sets && i < apply->owner_count; i++)
        sets[i] = i == apply->applier ? applied : apply->owners[i];
    return sets ? field_set_union_all(sets, apply->owner_count, arena) : applied;
}

/* Finds the fields that each owner loses. */
static void compare(
    const struct server_side_apply *apply, struct arena *arena, struct server_side_result *result)
{
    struct comparison change = typed_compare(apply->type, apply->live, result->merged, arena);
    const struct field_set *taken = field_set_union(change.modified, change.added, arena);
    for (size_t i = 0; i < apply->owner_count; i++) {
        const struct field_set *fields = apply->owners[i];
        result->conflicts[i] = &field_set_empty;
        result->remaining[i] = result->fields;
        if (i == apply->applier)
            continue;
        result->conflicts[i] = field_set_intersection(fields, taken, arena);
        result->has_conflicts |= !field_set_is_empty(result->conflicts[i]);
        fields = field_set_difference(fields, result->conflicts[i], arena);
        result->remaining[i] = field_set_difference(fields, change.removed, arena);
    }
}

int server_side_apply(
    const struct server_side_apply *apply, struct arena *arena, struct server_side_result *result,
    struct error *error)
{
    *result = (struct server_side_result){.given_up = &field_set_empty, .kept = &field_set_empty};
    result->conflicts = arena_allocate_array(arena, apply->owner_count + 1, sizeof(*result->conflicts));
    result->remaining = arena_allocate_array(arena, apply->owner_count + 1, sizeof(*result->remaining));
    if (!result->conflicts || !result->remaining)
        return error_set_out_of_memory(error);
    if (typed_merge(apply->type, apply->live, apply->configuration, arena, &result->merged, error) < 0)
        return -1;
    if (!result->merged)
        result->merged = &value_null;
    const struct field_set *applied = typed_fields(apply->type, apply->configuration, arena);
    result->fields = field_set_difference(applied, untracked_fields(), arena);
    if (apply->applier < apply->owner_count) {
        const struct field_set *before = apply->owners[apply->applier];
        const struct field_set *owned = owned_by_all(apply, applied, arena);
        if (!field_set_is_empty(before))
            result->merged = prune(apply->type, result->merged, before, owned, arena);
        result->given_up = field_set_difference(before, result->fields, arena);
        result->kept =
            field_set_intersection(result->given_up, all_fields(apply->type, result->merged, arena), arena);
    }
    compare(apply, arena, result);
    return arena_has_failed(arena) ? error_set_out_of_memory(error) : 0;
}

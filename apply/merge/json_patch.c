#include "apply/merge/json_patch.h"

/* Selects the additions and changes of a difference, its deletions, or both. */
enum part { ADDED, DELETED, ALL };

static const struct value *part_of_map(const struct value *map, enum part part, struct arena *arena);

/* Returns NULL if nothing is left, or memory runs out. */
static const struct value *part_of(const struct value *value, enum part part, struct arena *arena)
{
    if (part == ALL)
        return value;
    if (value->kind == VALUE_NULL)
        return part == DELETED ? value : NULL;
    /* An empty map in the manifest is a value. */
    if (value->kind != VALUE_MAP || value->count == 0)
        return part == ADDED ? value : NULL;
    return part_of_map(value, part, arena);
}

static const struct value *part_of_map(const struct value *map, enum part part, struct arena *arena)
{
    size_t count = 0;
    struct value_member *members = arena_allocate_array(arena, map->count, sizeof(*members));
    for (size_t i = 0; members && i < map->count; i++) {
        const struct value *value = part_of(map->members[i].value, part, arena);
        if (value)
            members[count++] = (struct value_member){map->members[i].name, value};
    }
    return count ? value_map(members, count, arena) : NULL;
}

static const struct value *difference(
    const struct value *before, const struct value *after, enum part part, struct arena *arena);

/* The difference of one member, which may be absent (NULL) on one side. NULL: none. */
static const struct value *difference_of_member(
    const struct value *before, const struct value *after, enum part part, struct arena *arena)
{
    if (!after)
        return part == ADDED ? NULL : &value_null;
    if (before && before->kind == VALUE_MAP && after->kind == VALUE_MAP)
        return difference(before, after, part, arena);
    return before && value_equal(before, after) ? NULL : part_of(after, part, arena);
}

/* Compares the next members of two maps by their names. At most one map may be at its end. */
static int compare_next(const struct value *a, size_t i, const struct value *b, size_t j)
{
    if (i == a->count)
        return 1;
    return j == b->count ? -1 : slice_compare(a->members[i].name, b->members[j].name);
}

/* Returns NULL if the maps are equal, or memory runs out. */
static const struct value *difference(
    const struct value *before, const struct value *after, enum part part, struct arena *arena)
{
    size_t i = 0, j = 0, count = 0;
    struct value_member *members =
        arena_allocate_array(arena, before->count + after->count, sizeof(*members));
    while (members && (i < before->count || j < after->count)) {
        int order = compare_next(before, i, after, j);
        struct slice name = order <= 0 ? before->members[i].name : after->members[j].name;
        const struct value *old = order <= 0 ? before->members[i++].value : NULL;
        const struct value *new = order >= 0 ? after->members[j++].value : NULL;
        const struct value *value = difference_of_member(old, new, part, arena);
        if (value)
            members[count++] = (struct value_member){name, value};
    }
    return count ? value_map(members, count, arena) : NULL;
}

/* A new value has no nulls in its maps: they would delete members that do not exist. */
static const struct value *without_nulls(const struct value *value, struct arena *arena);

static const struct value *list_without_nulls(const struct value *list, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    for (size_t i = 0; i < list->count; i++) {
        const struct value *item = items ? without_nulls(list->items[i], arena) : NULL;
        if (!item)
            return NULL;
        items[i] = item;
    }
    return value_list(items, list->count, arena);
}

static const struct value *without_nulls(const struct value *value, struct arena *arena)
{
    if (value->kind == VALUE_MAP)
        return json_patch_apply(&value_empty_map, value, arena);
    return value->kind == VALUE_LIST ? list_without_nulls(value, arena) : value;
}

/* Returns NULL if memory runs out. */
static const struct value *apply_member(
    const struct value *value, const struct value *patch, struct arena *arena)
{
    if (!patch)
        return value;
    if (!value || value->kind != VALUE_MAP || patch->kind != VALUE_MAP)
        return without_nulls(patch, arena);
    return json_patch_apply(value, patch, arena);
}

const struct value *json_patch_apply(
    const struct value *value, const struct value *patch, struct arena *arena)
{
    size_t i = 0, j = 0, count = 0;
    struct value_member *members = arena_allocate_array(arena, value->count + patch->count, sizeof(*members));
    while (i < value->count || j < patch->count) {
        int order = compare_next(value, i, patch, j);
        struct slice name = order <= 0 ? value->members[i].name : patch->members[j].name;
        const struct value *old = order <= 0 ? value->members[i++].value : NULL;
        const struct value *change = order >= 0 ? patch->members[j++].value : NULL;
        if (change && change->kind == VALUE_NULL)
            continue;
        const struct value *merged = members ? apply_member(old, change, arena) : NULL;
        if (!merged)
            return NULL;
        members[count++] = (struct value_member){name, merged};
    }
    return value_map(members, count, arena);
}

/* One patch with the effects of both. No member is both deleted and added. */
static const struct value *unite(const struct value *deleted, const struct value *added, struct arena *arena)
{
    size_t i = 0, j = 0, count = 0;
    struct value_member *members =
        arena_allocate_array(arena, deleted->count + added->count, sizeof(*members));
    while (i < deleted->count || j < added->count) {
        int order = compare_next(deleted, i, added, j);
        struct slice name = order <= 0 ? deleted->members[i].name : added->members[j].name;
        const struct value *value = order <= 0 ? deleted->members[i++].value : NULL;
        const struct value *more = order >= 0 ? added->members[j++].value : NULL;
        if (!members)
            return NULL;
        if (value && more && value->kind == VALUE_MAP && more->kind == VALUE_MAP)
            value = unite(value, more, arena);
        else if (more)
            value = without_nulls(more, arena);
        if (!value)
            return NULL;
        members[count++] = (struct value_member){name, value};
    }
    return value_map(members, count, arena);
}

const struct value *json_patch_three_way(
    const struct value *last_applied, const struct value *manifest, const struct value *live,
    struct arena *arena)
{
    const struct value *added = difference(live, manifest, ADDED, arena);
    const struct value *deleted = difference(last_applied, manifest, DELETED, arena);
    return unite(deleted ? deleted : &value_empty_map, added ? added : &value_empty_map, arena);
}

const struct value *json_patch_two_way(
    const struct value *before, const struct value *after, struct arena *arena)
{
    const struct value *patch = difference(before, after, ALL, arena);
    return patch ? patch : value_map(NULL, 0, arena);
}

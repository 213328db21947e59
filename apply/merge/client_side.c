#include "apply/merge/client_side.h"

#include "apply/merge/json_patch.h"
#include "apply/merge/strategic.h"

/* A directive of a patch. Types have no such fields: the API server drops them when it decodes the object. */
static bool is_directive(struct slice name)
{
    return slice_equal(name, DIRECTIVE) || slice_equal(name, RETAIN_KEYS) ||
        slice_starts_with(name, ELEMENT_ORDER) || slice_starts_with(name, DELETE_FROM_LIST);
}

/* The value without directives. Returns the value itself if it has none; returns NULL if memory runs out. */
static const struct value *without_directives(const struct value *value, struct arena *arena);

static const struct value *map_without_directives(const struct value *map, struct arena *arena)
{
    struct value_member *members = arena_allocate_array(arena, map->count, sizeof(*members));
    size_t count = 0;
    bool is_same = true;
    for (size_t i = 0; i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct value *value = members ? without_directives(member->value, arena) : NULL;
        if (!value)
            return NULL;
        is_same &= value == member->value && !is_directive(member->name);
        if (!is_directive(member->name))
            members[count++] = (struct value_member){member->name, value};
    }
    return is_same ? map : value_map(members, count, arena);
}

static const struct value *list_without_directives(const struct value *list, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    bool is_same = true;
    for (size_t i = 0; i < list->count; i++) {
        const struct value *item = items ? without_directives(list->items[i], arena) : NULL;
        if (!item)
            return NULL;
        is_same &= item == list->items[i];
        items[i] = item;
    }
    return is_same ? list : value_list(items, list->count, arena);
}

static const struct value *without_directives(const struct value *value, struct arena *arena)
{
    if (value->kind == VALUE_MAP)
        return map_without_directives(value, arena);
    return value->kind == VALUE_LIST ? list_without_directives(value, arena) : value;
}

/*
 * Merges deletions of fields that were applied before, and additions and changes to the live object, as one
 * patch.
 */
static void apply_strategic(
    const struct client_side_apply *apply, const struct value *last_applied, struct strategic *strategic,
    struct client_side_result *result)
{
    struct schema_ref type = apply->type;
    const struct value *changes =
        strategic_diff(strategic, type, apply->live, apply->manifest, STRATEGIC_CHANGES, false);
    const struct value *patch = NULL;
    if (changes)
        patch = strategic_diff(strategic, type, last_applied, apply->manifest, STRATEGIC_DELETIONS, false);
    if (patch)
        result->patch = strategic_merge(strategic, type, patch, changes, true);
    if (result->patch)
        result->merged = strategic_merge(strategic, type, apply->live, result->patch, false);
    if (result->merged)
        result->merged = without_directives(result->merged, strategic->arena);
}

static void apply_json(
    const struct client_side_apply *apply, const struct value *last_applied, struct arena *arena,
    struct client_side_result *result)
{
    result->patch = apply->is_two_way
        ? json_patch_two_way(last_applied, apply->manifest, arena)
        : json_patch_three_way(last_applied, apply->manifest, apply->live, arena);
    if (result->patch)
        result->merged = json_patch_apply(apply->live, result->patch, arena);
}

int client_side_apply(
    const struct client_side_apply *apply, struct arena *arena, struct client_side_result *result,
    struct error *error)
{
    const struct value *last_applied = apply->last_applied ? apply->last_applied : &value_empty_map;
    struct strategic strategic = {.arena = arena, .error = error};
    *result = (struct client_side_result){0};
    if (last_applied->kind != VALUE_MAP || apply->manifest->kind != VALUE_MAP ||
        apply->live->kind != VALUE_MAP)
        return error_set(error, "the manifest, the live object or the last-applied annotation is not a map");
    if (apply->is_custom)
        apply_json(apply, last_applied, arena, result);
    else
        apply_strategic(apply, last_applied, &strategic, result);
    result->has_given_up = strategic.has_given_up;
    if (strategic.has_failed)
        return -1;
    if (!result->merged || arena_has_failed(arena))
        return error_set_out_of_memory(error);
    return 0;
}

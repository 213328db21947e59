#include "apply/merge/strategic_merge.h"

static const struct value *clean_map(struct strategic *strategic, const struct value *map, bool is_patch)
{
    struct arena *arena = strategic->arena;
    struct value_member *members = arena_allocate_array(arena, map->count, sizeof(*members));
    size_t count = 0;
    if (!members)
        return strategic_no_memory(strategic);
    for (size_t i = 0; i < map->count; i++) {
        const struct value *member = map->members[i].value;
        if (is_patch || member->kind != VALUE_NULL)
            member = strategic_clean(strategic, member, is_patch);
        else
            member = NULL;
        if (member)
            members[count++] = (struct value_member){map->members[i].name, member};
    }
    return strategic_map(strategic, members, count);
}

static const struct value *clean_list(struct strategic *strategic, const struct value *list, bool is_patch)
{
    struct arena *arena = strategic->arena;
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    size_t count = 0;
    if (!items)
        return strategic_no_memory(strategic);
    for (size_t i = 0; i < list->count; i++) {
        const struct value *item = strategic_clean(strategic, list->items[i], is_patch);
        if (item)
            items[count++] = item;
    }
    return strategic_list(strategic, items, count);
}

const struct value *strategic_clean(struct strategic *strategic, const struct value *value, bool is_patch)
{
    if (value->kind == VALUE_MAP)
        return value_member(value, DIRECTIVE) ? NULL : clean_map(strategic, value, is_patch);
    return value->kind == VALUE_LIST ? clean_list(strategic, value, is_patch) : value;
}

#include "apply/merge/custom_nulls.h"

#include "apply/merge/custom_schema.h"

static yyjson_val *default_of(yyjson_val *openapi)
{
    yyjson_val *preset = json_member(openapi, SLICE("default"));
    return yyjson_is_null(preset) ? NULL : preset;
}

static const struct value *fill_child(yyjson_val *openapi, const struct value *value, struct arena *arena)
{
    yyjson_val *preset = default_of(openapi);
    if (value->kind == VALUE_NULL && preset && !custom_allows_null(openapi))
        return value_read(preset, arena, &(struct error){0});
    return yyjson_is_obj(openapi) ? custom_fill_nulls(openapi, value, arena) : value;
}

static const struct value *fill_items(yyjson_val *openapi, const struct value *list, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    yyjson_val *of_items = json_member(openapi, SLICE("items"));
    bool is_same = true;
    for (size_t i = 0; items && i < list->count; i++) {
        items[i] = fill_child(of_items, list->items[i], arena);
        if (!items[i])
            return NULL;
        is_same &= items[i] == list->items[i];
    }
    return items && is_same ? list : items ? value_list(items, list->count, arena) : NULL;
}

static const struct value *fill_members(yyjson_val *openapi, const struct value *map, struct arena *arena)
{
    struct value_member *members = arena_allocate_array(arena, map->count, sizeof(*members));
    bool is_same = true;
    for (size_t i = 0; members && i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        members[i] = (struct value_member){
            member->name, fill_child(custom_member_schema(openapi, member->name), member->value, arena)};
        if (!members[i].value)
            return NULL;
        is_same &= members[i].value == member->value;
    }
    return members && is_same ? map : members ? value_map(members, map->count, arena) : NULL;
}

const struct value *custom_fill_nulls(yyjson_val *openapi, const struct value *value, struct arena *arena)
{
    if (value->kind == VALUE_LIST && value->count)
        return fill_items(openapi, value, arena);
    return value->kind == VALUE_MAP && value->count ? fill_members(openapi, value, arena) : value;
}

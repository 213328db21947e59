#include "apply/merge/element.h"
#include "apply/merge/typed.h"

static const struct value *remove_items(
    struct schema_ref type, const struct value *list, const struct field_set *removed, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    size_t count = 0;
    for (size_t i = 0; items && i < list->count; i++) {
        struct slice element = {NULL, 0};
        const struct field_node *node =
            element_of_item(type, list, i, arena, &element) ? NULL : field_set_find(removed, element);
        if (node && node->is_member)
            continue;
        items[count++] = node && node->below->count
            ? typed_remove(schema_item(type), list->items[i], node->below, arena)
            : list->items[i];
    }
    const struct value *rest = count ? value_list(items, count, arena) : NULL;
    return rest ? rest : &value_null;
}

static const struct value *remove_members(
    struct schema_ref type, const struct value *map, const struct field_set *removed, struct arena *arena)
{
    struct value_member *members = arena_allocate_array(arena, map->count, sizeof(*members));
    size_t count = 0;
    for (size_t i = 0; members && i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct field_node *node = field_set_find(removed, element_of_member(member->name, arena));
        if (node && node->is_member)
            continue;
        members[count] = *member;
        if (node && node->below->count)
            members[count].value =
                typed_remove(schema_member(type, member->name), member->value, node->below, arena);
        count++;
    }
    const struct value *rest = count ? value_map(members, count, arena) : NULL;
    return rest ? rest : &value_null;
}

const struct value *typed_remove(
    struct schema_ref type, const struct value *value, const struct field_set *removed, struct arena *arena)
{
    unsigned form = typed_form(type, value);
    if (form == SCHEMA_SCALAR)
        return value;
    if (schema_type_of(type)->is_atomic & form || value_is_empty(value))
        return &value_null;
    if (form == SCHEMA_LIST && value->kind == VALUE_LIST)
        return remove_items(type, value, removed, arena);
    if (form == SCHEMA_MAP && value->kind == VALUE_MAP)
        return remove_members(type, value, removed, arena);
    return &value_null;
}

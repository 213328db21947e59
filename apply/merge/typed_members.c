#include "apply/merge/element.h"
#include "apply/merge/items.h"
#include "apply/merge/typed.h"

static const struct field_set *find_in_list(
    struct schema_ref type, const struct value *list, typed_choice *is_chosen, struct arena *arena)
{
    struct items items = items_of(type, list, arena);
    struct field_node *nodes = arena_allocate_array(arena, items.distinct + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < items.distinct; i++) {
        const struct item *item = items.by_element[i];
        const struct field_set *below = typed_members(schema_item(type), item->value, is_chosen, arena);
        if (below->count)
            nodes[count++] = (struct field_node){item->element, below, false};
    }
    return field_set_of(nodes, count, arena);
}

static const struct field_set *find_in_map(
    struct schema_ref type, const struct value *map, typed_choice *is_chosen, struct arena *arena)
{
    struct field_node *nodes = arena_allocate_array(arena, map->count + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        struct field_node node = {.below = &field_set_empty, .is_member = is_chosen(type, member)};
        if (!node.is_member)
            node.below = typed_members(schema_member(type, member->name), member->value, is_chosen, arena);
        if (!node.is_member && !node.below->count)
            continue;
        node.element = element_of_member(member->name, arena);
        nodes[count++] = node;
    }
    return field_set_of(nodes, count, arena);
}

const struct field_set *typed_members(
    struct schema_ref type, const struct value *value, typed_choice *is_chosen, struct arena *arena)
{
    unsigned form = typed_form(type, value);
    if (!value)
        return &field_set_empty;
    if (form == SCHEMA_LIST && value->kind == VALUE_LIST)
        return find_in_list(type, value, is_chosen, arena);
    if (form == SCHEMA_MAP && value->kind == VALUE_MAP)
        return find_in_map(type, value, is_chosen, arena);
    return &field_set_empty;
}

#include "apply/merge/element.h"
#include "apply/merge/items.h"
#include "apply/merge/typed.h"

/* Elements are made only of items that have chosen members. */
static const struct field_set *find_in_list(
    struct schema_ref type, const struct value *list, typed_choice *is_chosen, struct arena *arena)
{
    const struct field_set **below = arena_allocate_array(arena, list->count + 1, sizeof(*below));
    size_t found = 0, count = 0;
    for (size_t i = 0; below && i < list->count; i++) {
        below[i] = typed_members(schema_item(type), list->items[i], is_chosen, arena);
        found += below[i]->count > 0;
    }
    if (!found)
        return &field_set_empty;
    struct items items = items_of(type, list, arena);
    struct field_node *nodes = arena_allocate_array(arena, found, sizeof(*nodes));
    for (size_t i = 0; nodes && i < items.distinct; i++) {
        const struct item *item = items.by_element[i];
        if (below[item->position]->count)
            nodes[count++] = (struct field_node){item->element, below[item->position], false};
    }
    return field_set_of(nodes, count, arena);
}

static const struct field_set *find_in_map(
    struct schema_ref type, const struct value *map, typed_choice *is_chosen, struct arena *arena)
{
    struct field_node *nodes = NULL;
    size_t count = 0;
    for (size_t i = 0; i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct schema_field *field = schema_field_of(type, member->name);
        struct field_node node = {.below = &field_set_empty, .is_member = is_chosen(type, field, member)};
        if (!node.is_member)
            node.below = typed_members(schema_of_field(type, field), member->value, is_chosen, arena);
        if (!node.is_member && !node.below->count)
            continue;
        if (!nodes)
            nodes = arena_allocate_array(arena, map->count - i, sizeof(*nodes));
        if (!nodes)
            return &field_set_empty;
        node.element = element_of_member(member->name, arena);
        nodes[count++] = node;
    }
    return field_set_of(nodes, count, arena);
}

static const struct field_set *find(
    struct schema_ref type, const struct value *value, typed_choice *is_chosen, struct arena *arena)
{
    unsigned form = typed_form(type, value);
    if (form == SCHEMA_LIST && value->kind == VALUE_LIST)
        return find_in_list(type, value, is_chosen, arena);
    if (form == SCHEMA_MAP && value->kind == VALUE_MAP)
        return find_in_map(type, value, is_chosen, arena);
    return &field_set_empty;
}

const struct field_set *typed_members(
    struct schema_ref type, const struct value *value, typed_choice *is_chosen, struct arena *arena)
{
    struct arena_mark start = arena_mark(arena);
    const struct field_set *found = value ? find(type, value, is_chosen, arena) : &field_set_empty;
    if (!found->count)
        arena_rewind(arena, start);
    return found;
}

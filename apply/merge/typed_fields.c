#include "apply/merge/element.h"
#include "apply/merge/items.h"
#include "apply/merge/typed.h"

/* The fields below a value, and whether the value is a field itself. */
struct found {
    const struct field_set *below;
    bool is_member;
};

static const struct found nothing = {&field_set_empty, false};

/* Fields that are not in the set `within` may be left out; NULL: all are found. */
static struct found find(
    struct schema_ref type, const struct value *value, const struct field_set *within, struct arena *arena);

/* The same for the value of an element. */
static struct found find_at(
    struct slice element, struct schema_ref type, const struct value *value, const struct field_set *within,
    struct arena *arena)
{
    const struct field_node *node = within ? field_set_find(within, element) : NULL;
    if (!within)
        return find(type, value, NULL, arena);
    return node ? find(type, value, node->below, arena) : nothing;
}

/*
 * If several items have the same identity, only their existence is a field. The same holds for items without
 * an identity, such as an item whose content was removed: the list is not empty.
 */
static const struct field_set *find_in_list(
    struct schema_ref type, const struct value *list, const struct field_set *within, struct arena *arena)
{
    struct items items = items_of(type, list, arena);
    struct field_node *nodes = arena_allocate_array(arena, items.distinct + 1, sizeof(*nodes));
    size_t count = 0;
    if (!nodes)
        return &field_set_empty;
    if (items.problem)
        nodes[count++] = (struct field_node){SLICE(""), &field_set_empty, true};
    for (size_t i = 0; i < items.distinct; i++) {
        const struct item *item = items.by_element[i];
        const struct field_set *below = item->repeats == 1
            ? find_at(item->element, schema_item(type), item->value, within, arena).below
            : &field_set_empty;
        nodes[count++] = (struct field_node){item->element, below, true};
    }
    return field_set_of(nodes, count, arena);
}

static const struct field_set *find_in_map(
    struct schema_ref type, const struct value *map, const struct field_set *within, struct arena *arena)
{
    struct field_node *nodes = arena_allocate_array(arena, map->count + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct schema_field *field = schema_field_of(type, member->name);
        struct slice element = element_of_member(member->name, arena);
        struct found found = find_at(element, schema_of_field(type, field), member->value, within, arena);
        bool is_member = found.is_member || !field || member->value->kind == VALUE_NULL ||
            (member->value->kind == VALUE_MAP && !member->value->count);
        if (is_member || found.below->count)
            nodes[count++] = (struct field_node){element, found.below, is_member};
    }
    return field_set_of(nodes, count, arena);
}

static struct found find(
    struct schema_ref type, const struct value *value, const struct field_set *within, struct arena *arena)
{
    unsigned form = typed_form(type, value);
    if (form == SCHEMA_SCALAR || schema_type_of(type)->is_atomic & form)
        return (struct found){&field_set_empty, true};
    if (form == SCHEMA_LIST && value->kind == VALUE_LIST)
        return (struct found){find_in_list(type, value, within, arena), false};
    if (form == SCHEMA_MAP && value->kind == VALUE_MAP)
        return (struct found){find_in_map(type, value, within, arena), false};
    return nothing;
}

const struct field_set *typed_fields(struct schema_ref type, const struct value *value, struct arena *arena)
{
    return find(type, value, NULL, arena).below;
}

const struct field_set *typed_fields_in(
    struct schema_ref type, const struct value *value, const struct field_set *set, struct arena *arena)
{
    return set->count ? field_set_intersection(set, find(type, value, set, arena).below, arena) : set;
}

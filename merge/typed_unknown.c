#include "base/count.h"
#include "merge/element.h"
#include "merge/items.h"
#include "merge/typed.h"

/* Each object has these, also one that is embedded in another, whatever its schema says. */
static bool is_of_every_object(struct slice name)
{
    static const char *const names[] = {"apiVersion", "kind", "metadata"};
    return slice_is_one_of(name, names, COUNT(names));
}

static bool is_known(struct schema_ref type, struct slice name)
{
    return schema_type_of(type)->is_open || schema_field_of(type, name) || is_of_every_object(name);
}

static const struct field_set *set_of(struct field_node *nodes, size_t count, struct arena *arena)
{
    const struct field_set *set = count ? field_set_of(nodes, count, arena) : NULL;
    return set ? set : &field_set_empty;
}

static const struct field_set *find_in_list(
    struct schema_ref type, const struct value *list, struct arena *arena)
{
    struct items items = items_of(type, list, arena);
    struct field_node *nodes = arena_allocate_array(arena, items.distinct + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < items.distinct; i++) {
        const struct item *item = items.by_element[i];
        const struct field_set *below = typed_unknown(schema_item(type), item->value, arena);
        if (below->count)
            nodes[count++] = (struct field_node){item->element, below, false};
    }
    return set_of(nodes, count, arena);
}

static const struct field_set *find_in_map(
    struct schema_ref type, const struct value *map, struct arena *arena)
{
    struct field_node *nodes = arena_allocate_array(arena, map->count + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        bool is_unknown = !is_known(type, member->name);
        const struct field_set *below = is_unknown
            ? &field_set_empty
            : typed_unknown(schema_member(type, member->name), member->value, arena);
        if (is_unknown || below->count)
            nodes[count++] = (struct field_node){element_of_member(member->name, arena), below, is_unknown};
    }
    return set_of(nodes, count, arena);
}

const struct field_set *typed_unknown(struct schema_ref type, const struct value *value, struct arena *arena)
{
    unsigned form = typed_form(type, value);
    if (!value || schema_type_of(type)->is_atomic & form)
        return &field_set_empty;
    if (form == SCHEMA_LIST && value->kind == VALUE_LIST)
        return find_in_list(type, value, arena);
    if (form == SCHEMA_MAP && value->kind == VALUE_MAP)
        return find_in_map(type, value, arena);
    return &field_set_empty;
}

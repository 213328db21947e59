#include "apply/merge/element.h"
#include "apply/merge/typed.h"

/* NULL: the set contains no part of it. */
static const struct value *extract_part(
    struct schema_ref type, const struct value *value, const struct field_node *node, struct arena *arena)
{
    if (!node)
        return NULL;
    unsigned form = typed_form(type, value);
    if (form == SCHEMA_SCALAR || schema_type_of(type)->is_atomic & form)
        return value;
    const struct value *part = typed_extract(type, value, node->below, arena);
    /* An empty container as a field's only content is not stored by the API server. */
    return node->is_member || !value_is_empty(part) || value_is_empty(value) ? part : NULL;
}

/*
 * The owner may have lost the item itself, for example if others removed it and added it again, and still own
 * fields inside it: its manifest contains the keys of the item.
 */
static const struct value *with_keys(
    struct schema_ref list, const struct value *part, const struct value *item, struct arena *arena)
{
    const struct schema_type *type = schema_type_of(list);
    for (size_t i = 0; i < type->key_count && part; i++) {
        struct slice name = schema_name_of(list.schema, list.schema->keys[type->first_key + i]);
        const struct value *key = value_member(item, name);
        part = key ? value_with(part, name, key, arena) : part;
    }
    return part;
}

static const struct value *extract_items(
    struct schema_ref type, const struct value *list, const struct field_set *fields, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count + 1, sizeof(*items));
    size_t count = 0;
    for (size_t i = 0; items && i < list->count; i++) {
        struct slice element = {NULL, 0};
        if (element_of_item(type, list, i, arena, &element))
            continue;
        const struct field_node *node = field_set_find(fields, element);
        const struct value *item = extract_part(schema_item(type), list->items[i], node, arena);
        if (item && !node->is_member)
            item = with_keys(type, item, list->items[i], arena);
        if (item)
            items[count++] = item;
    }
    return items ? value_list(items, count, arena) : NULL;
}

static const struct value *extract_members(
    struct schema_ref type, const struct value *map, const struct field_set *fields, struct arena *arena)
{
    struct value_member *members = arena_allocate_array(arena, map->count + 1, sizeof(*members));
    size_t count = 0;
    for (size_t i = 0; members && i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct field_node *node = field_set_find(fields, element_of_member(member->name, arena));
        const struct value *part =
            extract_part(schema_member(type, member->name), member->value, node, arena);
        if (part)
            members[count++] = (struct value_member){member->name, part};
    }
    return members ? value_map(members, count, arena) : NULL;
}

const struct value *typed_extract(
    struct schema_ref type, const struct value *value, const struct field_set *fields, struct arena *arena)
{
    const struct value *part = value->kind == VALUE_LIST ? extract_items(type, value, fields, arena)
        : value->kind == VALUE_MAP                       ? extract_members(type, value, fields, arena)
                                                         : value;
    return part ? part : &value_null;
}

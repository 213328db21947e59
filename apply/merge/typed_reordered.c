#include "apply/merge/element.h"
#include "apply/merge/items.h"
#include "apply/merge/typed.h"

/* The reordered lists inside a value. */
static struct field_node find(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena);

/* Whether an item that both lists have comes before one that it followed. */
static bool has_other_order(const struct items *old, const struct items *new)
{
    size_t next = 0;
    for (size_t i = 0; i < new->count; i++) {
        const struct item *same = new->in_order[i].repeats ? items_find(old, new->in_order[i].element) : NULL;
        if (same && same->position < next)
            return true;
        next = same ? same->position : next;
    }
    return false;
}

static struct field_node find_in_lists(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    struct items old = items_of(type, before, arena), new = items_of(type, after, arena);
    struct field_node *nodes = arena_allocate_array(arena, new.distinct + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < new.distinct; i++) {
        const struct item *item = new.by_element[i], *same = items_find(&old, item->element);
        if (!same)
            continue;
        const struct field_set *below = find(schema_item(type), same->value, item->value, arena).below;
        if (below->count)
            nodes[count++] = (struct field_node){item->element, below, false};
    }
    return (struct field_node){
        .below = field_set_of(nodes, count, arena), .is_member = nodes && has_other_order(&old, &new)};
}

static struct field_node find_in_maps(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    struct field_node *nodes = arena_allocate_array(arena, after->count + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < after->count; i++) {
        const struct value_member *member = &after->members[i];
        const struct value *same = value_member(before, member->name);
        if (!same)
            continue;
        struct field_node node = find(schema_member(type, member->name), same, member->value, arena);
        if (!node.is_member && !node.below->count)
            continue;
        node.element = element_of_member(member->name, arena);
        nodes[count++] = node;
    }
    return (struct field_node){.below = field_set_of(nodes, count, arena)};
}

static struct field_node find_in_values(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    unsigned form = typed_form(type, after);
    if (before == after || before->kind != after->kind || schema_type_of(type)->is_atomic & form)
        return (struct field_node){.below = &field_set_empty};
    if (form == SCHEMA_LIST && after->kind == VALUE_LIST && !value_equal(before, after))
        return find_in_lists(type, before, after, arena);
    if (form == SCHEMA_MAP && after->kind == VALUE_MAP)
        return find_in_maps(type, before, after, arena);
    return (struct field_node){.below = &field_set_empty};
}

static struct field_node find(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    struct arena_mark start = arena_mark(arena);
    struct field_node found = find_in_values(type, before, after, arena);
    if (!found.is_member && !found.below->count)
        arena_rewind(arena, start);
    return found;
}

const struct field_set *typed_reordered(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    return find(type, before, after, arena).below;
}

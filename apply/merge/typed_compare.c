#include "apply/merge/element.h"
#include "apply/merge/items.h"
#include "apply/merge/typed.h"

enum change { ADDED, MODIFIED, REMOVED, CHANGES };

/* The changes below a value, and whether the value itself changed. */
struct changes {
    const struct field_set *below[CHANGES];
    bool is_changed[CHANGES];
};

/* The changes below a value while they are collected. */
struct collection {
    struct field_node *nodes[CHANGES]; /* NULL: none yet */
    size_t count[CHANGES];
    size_t most;
    struct arena *arena;
};

static const struct changes nothing = {.below = {&field_set_empty, &field_set_empty, &field_set_empty}};

static bool is_nothing(const struct changes *changes)
{
    bool is_something = false;
    for (int change = 0; change < CHANGES; change++)
        is_something |= changes->is_changed[change] || changes->below[change]->count;
    return !is_something;
}

static struct changes compare(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena);

static void add(struct collection *collection, enum change change, struct field_node node)
{
    struct field_node **nodes = &collection->nodes[change];
    if (!*nodes)
        *nodes = arena_allocate_array(collection->arena, collection->most, sizeof(**nodes));
    if (*nodes)
        (*nodes)[collection->count[change]++] = node;
}

static void collect(struct collection *collection, struct slice element, const struct changes *found)
{
    for (int change = 0; change < CHANGES; change++) {
        if (found->is_changed[change] || found->below[change]->count)
            add(collection, (enum change)change,
                (struct field_node){element, found->below[change], found->is_changed[change]});
    }
}

static struct changes end(struct collection *collection)
{
    struct changes changes = nothing;
    for (int change = 0; change < CHANGES; change++)
        changes.below[change] =
            field_set_of(collection->nodes[change], collection->count[change], collection->arena);
    return changes;
}

static struct changes compare_maps(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    size_t old_count = before && before->kind == VALUE_MAP ? before->count : 0, i = 0, j = 0;
    size_t new_count = after && after->kind == VALUE_MAP ? after->count : 0;
    struct collection collection = {.most = old_count + new_count, .arena = arena};
    while (i < old_count || j < new_count) {
        int order = i == old_count ? 1
            : j == new_count       ? -1
                                   : slice_compare(before->members[i].name, after->members[j].name);
        struct slice name = order <= 0 ? before->members[i].name : after->members[j].name;
        const struct value *old = order <= 0 ? before->members[i++].value : NULL;
        const struct value *new = order >= 0 ? after->members[j++].value : NULL;
        if (old == new)
            continue;
        struct changes found = compare(schema_member(type, name), old, new, arena);
        if (!is_nothing(&found))
            collect(&collection, element_of_member(name, arena), &found);
    }
    return end(&collection);
}

/* Whether both lists have the same items of one element, in the same order. */
static bool repeated_equal(const struct item *old, const struct item *new)
{
    for (; old && new; old = old->next, new = new->next) {
        if (!value_equal(old->value, new->value))
            return false;
    }
    return !old && !new;
}

/*
 * Items with the same identity are compared as a whole; if only one side has several, they are removed and
 * added.
 */
static struct changes compare_item(
    struct schema_ref type, const struct item *old, const struct item *new, struct arena *arena)
{
    size_t old_count = old ? old->repeats : 0, new_count = new ? new->repeats : 0;
    struct changes found = nothing;
    if (old_count <= 1 && new_count <= 1)
        return compare(type, old ? old->value : NULL, new ? new->value : NULL, arena);
    if (old_count >= 2 && new_count >= 2) {
        found.is_changed[MODIFIED] = !repeated_equal(old, new);
    } else if (old_count >= 2) {
        if (new)
            found = compare(type, NULL, new->value, arena);
        found.is_changed[REMOVED] = true;
    } else {
        if (old)
            found = compare(type, old->value, NULL, arena);
        found.is_changed[ADDED] = true;
    }
    return found;
}

/* Lists of equal items need no elements. */
static struct changes compare_lists(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    if (before && after && value_equal(before, after))
        return nothing;
    struct items old = items_of(type, before, arena), new = items_of(type, after, arena);
    struct collection collection = {.most = old.distinct + new.distinct, .arena = arena};
    size_t i = 0, j = 0;
    while (i < old.distinct || j < new.distinct) {
        int order = i == old.distinct ? 1
            : j == new.distinct       ? -1
                                      : slice_compare(old.by_element[i]->element, new.by_element[j]->element);
        const struct item *one = order <= 0 ? old.by_element[i++] : NULL;
        const struct item *other = order >= 0 ? new.by_element[j++] : NULL;
        struct changes found = compare_item(schema_item(type), one, other, arena);
        collect(&collection, order <= 0 ? one->element : other->element, &found);
    }
    return end(&collection);
}

static struct changes compare_as(
    unsigned form, struct schema_ref type, const struct value *before, const struct value *after,
    struct arena *arena)
{
    enum value_kind kind = form == SCHEMA_MAP ? VALUE_MAP : VALUE_LIST;
    bool is_empty = (!before || before->kind != kind || !before->count) &&
        (!after || after->kind != kind || !after->count);
    struct changes found = nothing;
    if (form == SCHEMA_SCALAR || schema_type_of(type)->is_atomic & form || is_empty)
        found.is_changed[MODIFIED] = before && after && !value_equal(before, after);
    else if (form == SCHEMA_MAP)
        found = compare_maps(type, before, after, arena);
    else
        found = compare_lists(type, before, after, arena);
    found.is_changed[ADDED] = !before;
    found.is_changed[REMOVED] = !after;
    return found;
}

static struct changes compare_forms(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    unsigned old_form = typed_form(type, before), new_form = typed_form(type, after);
    if (!after)
        return compare_as(old_form, type, before, after, arena);
    if (!before || old_form == new_form)
        return compare_as(new_form, type, before, after, arena);
    struct changes one = compare_as(old_form, type, before, after, arena);
    struct changes other = compare_as(new_form, type, before, after, arena);
    for (int change = 0; change < CHANGES; change++) {
        one.below[change] = field_set_union(one.below[change], other.below[change], arena);
        one.is_changed[change] |= other.is_changed[change];
    }
    return one;
}

/* Most parts of an object do not change, and then need no memory. */
static struct changes compare(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    struct arena_mark start = arena_mark(arena);
    struct changes found = before == after ? nothing : compare_forms(type, before, after, arena);
    if (is_nothing(&found))
        arena_rewind(arena, start);
    return found;
}

struct comparison typed_compare(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena)
{
    struct changes found = compare(type, before, after, arena);
    return (struct comparison){found.below[ADDED], found.below[MODIFIED], found.below[REMOVED]};
}

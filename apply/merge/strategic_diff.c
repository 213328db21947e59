#include "apply/merge/strategic.h"

#include "base/text.h"

#include <stdlib.h>

/* The members of a patch, in the order in which they are found. */
struct patch_member {
    struct value_member member;
    size_t order;
};

struct patch {
    struct strategic *strategic;
    enum strategic_part part;
    struct patch_member
        *members; /* three for each member of `after`, one for each of `before` and one more */
    size_t count;
};

static void put(struct patch *patch, struct slice name, const struct value *value)
{
    if (!value)
        return;
    patch->members[patch->count] = (struct patch_member){{name, value}, patch->count};
    patch->count++;
}

static void put_list(struct patch *patch, struct slice name, const struct value *const *items, size_t count)
{
    put(patch, name, strategic_list(patch->strategic, items, count));
}

/* The name of a directive for a list. */
static struct slice parallel(struct patch *patch, struct slice directive, struct slice name)
{
    struct text text = text_start(patch->strategic->arena, directive.length + name.length + 1);
    text_append_all(&text, directive, SLICE("/"), name);
    if (!text_slice(&text).bytes)
        strategic_no_memory(patch->strategic);
    return text_slice(&text);
}

static void put_changed(
    struct patch *patch, struct slice name, const struct value *before, const struct value *after)
{
    if (patch->part == STRATEGIC_CHANGES && !(before && value_equal(before, after)))
        put(patch, name, after);
}

static int compare_members(const void *a, const void *b)
{
    const struct patch_member *one = a, *other = b;
    int order = slice_compare(one->member.name, other->member.name);
    return order ? order : (one->order > other->order) - (one->order < other->order);
}

/* If several members have one name, the last one counts. */
static const struct value *finish(struct patch *patch)
{
    struct arena *arena = patch->strategic->arena;
    struct value_member *members = arena_allocate_array(arena, patch->count, sizeof(*members));
    size_t kept = 0;
    if (patch->strategic->has_failed || !members)
        return strategic_no_memory(patch->strategic);
    if (patch->count)
        qsort(patch->members, patch->count, sizeof(*patch->members), compare_members);
    for (size_t i = 0; i < patch->count; i++) {
        const struct value_member *member = &patch->members[i].member;
        kept -= kept && slice_equal(members[kept - 1].name, member->name);
        members[kept++] = *member;
    }
    return strategic_map(patch->strategic, members, kept);
}

/* A map of two members, or of one if `directive` is NULL. */
static const struct value *keyed_map(
    struct strategic *strategic, struct slice key, const struct value *value, const struct value *directive)
{
    const struct value *map = value_with(&value_empty_map, key, value, strategic->arena);
    if (map && directive)
        map = value_with(map, DIRECTIVE, directive, strategic->arena);
    return map ? map : strategic_no_memory(strategic);
}

static const struct value *text_value(struct strategic *strategic, struct slice text)
{
    const struct value *value = value_string(text, strategic->arena);
    return value ? value : strategic_no_memory(strategic);
}

/* Two merging lists. */
struct lists {
    struct strategic_field field;
    const struct value *before, *after;
    struct strategic_index before_index, after_index;
    const struct value **kept, **deleted; /* the parts of the patch */
    size_t kept_count, deleted_count;
};

static bool open_lists(struct strategic *strategic, struct lists *lists)
{
    struct slice key = lists->field.key;
    lists->kept = arena_allocate_array(strategic->arena, lists->after->count, sizeof(*lists->kept));
    lists->deleted = arena_allocate_array(strategic->arena, lists->before->count, sizeof(*lists->deleted));
    if (!lists->kept || !lists->deleted)
        return strategic_no_memory(strategic);
    return strategic_index_items(strategic, lists->before, key, &lists->before_index) &&
        strategic_index_items(strategic, lists->after, key, &lists->after_index);
}

/* An item of both lists. */
static void diff_item(
    struct patch *patch, struct lists *lists, const struct value *before, const struct value *after)
{
    if (before->kind != VALUE_MAP)
        return;
    const struct value *changes = strategic_diff(
        patch->strategic, lists->field.type, before, after, patch->part, lists->field.retains_keys);
    if (!changes || !changes->count)
        return;
    struct slice key = lists->field.key;
    changes = value_with(changes, key, value_member(after, key), patch->strategic->arena);
    if (changes)
        lists->kept[lists->kept_count++] = changes;
    else
        strategic_no_memory(patch->strategic);
}

/* Equal items of a list of primitives are deleted once. */
static void delete_item(struct patch *patch, struct lists *lists, const struct value *item)
{
    const struct value *last = lists->deleted_count ? lists->deleted[lists->deleted_count - 1] : NULL;
    struct slice key = lists->field.key;
    if (patch->part != STRATEGIC_DELETIONS)
        return;
    if (item->kind == VALUE_MAP)
        item = keyed_map(
            patch->strategic, key, value_member(item, key), text_value(patch->strategic, SLICE("delete")));
    else if (last && value_equal(last, item))
        return;
    if (item)
        lists->deleted[lists->deleted_count++] = item;
}

static void add_item(struct patch *patch, struct lists *lists, const struct value *item)
{
    if (patch->part == STRATEGIC_CHANGES)
        lists->kept[lists->kept_count++] = item;
}

/* Items are matched by their keys, as Go prints them; items with equal keys are matched one by one. */
static void diff_items(struct patch *patch, struct lists *lists)
{
    const struct strategic_index *before = &lists->before_index, *after = &lists->after_index;
    size_t i = 0, j = 0;
    while (!patch->strategic->has_failed && (i < before->count || j < after->count)) {
        int order = i == before->count ? 1
            : j == after->count        ? -1
                                       : slice_compare(before->keys[i].text, after->keys[j].text);
        const struct value *old = order <= 0 ? before->list->items[before->keys[i++].position] : NULL;
        const struct value *new = order >= 0 ? after->list->items[after->keys[j++].position] : NULL;
        if (old && new)
            diff_item(patch, lists, old, new);
        else if (old)
            delete_item(patch, lists, old);
        else
            add_item(patch, lists, new);
    }
}

/* Whether both have the same keys in the same order. kubectl has sorted the old list of primitives before. */
static bool is_in_order(struct strategic *strategic, const struct lists *lists)
{
    struct slice key = lists->field.key;
    size_t count = lists->before->count;
    bool is_same = count == lists->after->count;
    for (size_t i = 0; is_same && i < count; i++) {
        struct strategic_key one, other;
        bool is_map = lists->after->items[i]->kind == VALUE_MAP;
        size_t at = is_map ? i : lists->before_index.keys[i].position;
        is_same = strategic_key_of(strategic, lists->before->items[at], key, &one) &&
            strategic_key_of(strategic, lists->after->items[i], key, &other) &&
            strategic_same_key(&one, &other);
    }
    return is_same;
}

/* Adds the directive for the order of items: it contains only their keys. */
static void put_order(struct patch *patch, struct slice name, const struct lists *lists)
{
    const struct value *after = lists->after;
    struct slice key = lists->field.key;
    const struct value **order = arena_allocate_array(patch->strategic->arena, after->count, sizeof(*order));
    bool is_whole = order != NULL;
    for (size_t i = 0; is_whole && i < after->count; i++) {
        order[i] = after->items[i];
        if (order[i]->kind == VALUE_MAP)
            order[i] = keyed_map(patch->strategic, key, value_member(after->items[i], key), NULL);
        is_whole = order[i] != NULL;
    }
    if (is_whole && after->count)
        put_list(patch, parallel(patch, ELEMENT_ORDER, name), order, after->count);
    else if (!is_whole)
        strategic_no_memory(patch->strategic);
}

/* For maps, the items to delete follow the others; for primitives, they are a separate list. */
static void put_items(struct patch *patch, struct slice name, struct lists *lists)
{
    bool are_maps = (lists->before->count ? lists->before : lists->after)->items[0]->kind == VALUE_MAP;
    size_t count = lists->kept_count, deleted = lists->deleted_count;
    const struct value *sorted = value_list(lists->kept, count, patch->strategic->arena);
    if (sorted)
        sorted = strategic_sort(patch->strategic, sorted, lists->field.key, &lists->after_index);
    const struct value **items =
        arena_allocate_array(patch->strategic->arena, count + deleted, sizeof(*items));
    if (!sorted || !items) {
        strategic_no_memory(patch->strategic);
        return;
    }
    for (size_t i = 0; i < count; i++)
        items[i] = sorted->items[i];
    for (size_t i = 0; are_maps && i < deleted; i++)
        items[count++] = lists->deleted[i];
    if (count)
        put_list(patch, name, items, count);
    if (!are_maps && deleted)
        put_list(patch, parallel(patch, DELETE_FROM_LIST, name), lists->deleted, deleted);
}

static void diff_merging_lists(struct patch *patch, struct slice name, struct lists *lists)
{
    if (!lists->before->count) {
        if (lists->after->count)
            put_changed(patch, name, NULL, lists->after);
        return;
    }
    if (!strategic_one_kind(patch->strategic, lists->before, lists->after))
        return;
    bool are_maps = lists->before->items[0]->kind == VALUE_MAP;
    if (are_maps != (lists->field.key.length > 0)) {
        strategic_refuse(patch->strategic, "items of a list that merges are of another kind than its type");
        return;
    }
    if (!open_lists(patch->strategic, lists))
        return;
    diff_items(patch, lists);
    if (patch->strategic->has_failed)
        return;
    put_items(patch, name, lists);
    if (lists->kept_count || lists->deleted_count ||
        (patch->part == STRATEGIC_CHANGES && !is_in_order(patch->strategic, lists)))
        put_order(patch, name, lists);
}

static void refuse_unknown(struct patch *patch, const struct value *before, const struct value *after)
{
    if (!value_equal(before, after))
        strategic_refuse_unknown(patch->strategic);
}

static void diff_lists(
    struct patch *patch, struct schema_ref type, struct slice name, const struct value *before,
    const struct value *after)
{
    struct lists lists = {.before = before, .after = after};
    if (!strategic_list_field(type, name, &lists.field))
        refuse_unknown(patch, before, after);
    else if (lists.field.merges)
        diff_merging_lists(patch, name, &lists);
    else
        put_changed(patch, name, before, after);
}

static void diff_maps(
    struct patch *patch, struct schema_ref type, struct slice name, const struct value *before,
    const struct value *after)
{
    struct strategic_field field;
    if (!strategic_map_field(type, name, &field)) {
        refuse_unknown(patch, before, after);
        return;
    }
    if (field.replaces) {
        put_changed(patch, name, NULL, after);
        return;
    }
    const struct value *changes =
        strategic_diff(patch->strategic, field.type, before, after, patch->part, field.retains_keys);
    if (changes && changes->count)
        put(patch, name, changes);
}

static void diff_member(
    struct patch *patch, struct schema_ref type, struct slice name, const struct value *before,
    const struct value *after)
{
    bool is_directive = before && after && slice_equal(name, DIRECTIVE);
    if (!after)
        put(patch, name, patch->part == STRATEGIC_DELETIONS ? &value_null : NULL);
    else if (is_directive && (!value_text(before).bytes || !value_text(after).bytes))
        strategic_refuse(patch->strategic, "$patch is not a string");
    else if (is_directive)
        put(patch, name, value_equal(before, after) ? NULL : after);
    else if (!before || before->kind != after->kind)
        put_changed(patch, name, NULL, after);
    else if (after->kind == VALUE_MAP)
        diff_maps(patch, type, name, before, after);
    else if (after->kind == VALUE_LIST)
        diff_lists(patch, type, name, before, after);
    else
        put_changed(patch, name, before, after);
}

/* Adds the directive with the members that stay, for a map in which only one of several fields may be set. */
static void put_retained(struct patch *patch, const struct value *after, bool is_less)
{
    const struct value **names = arena_allocate_array(patch->strategic->arena, after->count, sizeof(*names));
    size_t count = 0;
    for (size_t i = 0; names && i < after->count; i++) {
        if (after->members[i].value->kind != VALUE_NULL)
            names[count++] = text_value(patch->strategic, after->members[i].name);
    }
    if (!names)
        strategic_no_memory(patch->strategic);
    else if (count && (patch->count || is_less) && !patch->strategic->has_failed)
        put_list(patch, RETAIN_KEYS, names, count);
}

const struct value *strategic_diff(
    struct strategic *strategic, struct schema_ref type, const struct value *before,
    const struct value *after, enum strategic_part part, bool retains_keys)
{
    struct patch patch = {.strategic = strategic, .part = part};
    struct arena_mark start = arena_mark(strategic->arena);
    size_t i = 0, j = 0;
    bool is_less = false; /* a field that is set is removed */
    size_t most = before->count + 3 * after->count + 1;
    patch.members = arena_allocate_array(strategic->arena, most, sizeof(*patch.members));
    if (!patch.members)
        return strategic_no_memory(strategic);
    while (!strategic->has_failed && (i < before->count || j < after->count)) {
        int order = i == before->count ? 1
            : j == after->count        ? -1
                                       : slice_compare(before->members[i].name, after->members[j].name);
        struct slice name = order <= 0 ? before->members[i].name : after->members[j].name;
        const struct value *old = order <= 0 ? before->members[i++].value : NULL;
        const struct value *new = order >= 0 ? after->members[j++].value : NULL;
        is_less |= order < 0 && old->kind != VALUE_NULL;
        diff_member(&patch, type, name, old, new);
    }
    if (retains_keys && !strategic->has_failed)
        put_retained(&patch, after, is_less);
    if (!patch.count && !strategic->has_failed) {
        arena_rewind(strategic->arena, start);
        return &value_empty_map;
    }
    return finish(&patch);
}

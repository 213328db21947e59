#include "apply/merge/strategic_merge.h"

#include <stdint.h>

/* A merging list: its parts and its result. */
struct merging {
    struct strategic *strategic;
    const struct strategic_field *field;
    bool is_patch;
    const struct value *map, *patch; /* without items that are directives */
    size_t map_count;                /* the number of the map's items before deletions */
    bool replaces;                   /* the patch's items replace the map's */
    const struct value **out;
    size_t count;
};

/* The items of a list, except for items whose keys are in `others`. */
static const struct value *without(
    struct strategic *strategic, const struct value *list, const struct strategic_index *others,
    struct slice key)
{
    struct arena *arena = strategic->arena;
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    size_t count = 0;
    if (!items)
        return strategic_no_memory(strategic);
    for (size_t i = 0; i < list->count; i++) {
        struct strategic_key found;
        if (!strategic_key_of(strategic, list->items[i], key, &found))
            return NULL;
        if (strategic_find(others, &found) == SIZE_MAX)
            items[count++] = list->items[i];
    }
    return strategic_list(strategic, items, count);
}

/* The directives among a patch's items, and the other items. */
struct special {
    const struct value **deleted, **others;
    size_t deleted_count, other_count;
    bool replaces;
};

static bool split_special(struct strategic *strategic, const struct value *patch, struct special *special)
{
    struct arena *arena = strategic->arena;
    special->deleted = arena_allocate_array(arena, patch->count, sizeof(*special->deleted));
    special->others = arena_allocate_array(arena, patch->count, sizeof(*special->others));
    if (!special->deleted || !special->others)
        return strategic_no_memory(strategic);
    for (size_t i = 0; i < patch->count; i++) {
        const struct value *item = patch->items[i];
        if (!value_member(item, DIRECTIVE))
            special->others[special->other_count++] = item;
        else if (strategic_has_directive(item, SLICE("delete")))
            special->deleted[special->deleted_count++] = item;
        else if (strategic_has_directive(item, SLICE("replace")))
            special->replaces = true;
        else
            return strategic_refuse(strategic, "the $patch of an item is neither \"delete\" nor \"replace\"");
    }
    return true;
}

/* Deletes the items that the patch deletes, or all. */
static bool apply_special(struct merging *merging)
{
    struct special special = {0};
    struct strategic_index deleted;
    if (!split_special(merging->strategic, merging->patch, &special))
        return false;
    const struct value *delete = strategic_list(merging->strategic, special.deleted, special.deleted_count);
    const struct value *others = strategic_list(merging->strategic, special.others, special.other_count);
    if (!delete || !others ||
        !strategic_index_items(merging->strategic, delete, merging->field->key, &deleted))
        return false;
    merging->replaces = special.replaces;
    merging->patch = special.replaces ? &value_empty_list : others;
    if (special.replaces)
        merging->map = others;
    else if (delete->count)
        merging->map = without(merging->strategic, merging->map, &deleted, merging->field->key);
    return merging->map != NULL;
}

/* Merges an item of the patch into the item with its key, or appends it. */
static bool merge_item(struct merging *merging, const struct value *item, size_t at)
{
    if (at == merging->count)
        merging->out[merging->count++] = item;
    else if (item->kind == VALUE_MAP)
        merging->out[at] = strategic_merge(
            merging->strategic, merging->field->type, merging->out[at], item, merging->is_patch);
    return merging->out[at] != NULL;
}

/*
 * Each item of the patch goes to the place of the map's item with its key, or of the first item of the patch
 * with its key.
 */
static bool merge_items(struct merging *merging)
{
    struct strategic *strategic = merging->strategic;
    struct strategic_index map, patch;
    struct slice key = merging->field->key;
    size_t *places = arena_allocate_array(strategic->arena, merging->patch->count, sizeof(*places));
    merging->out = arena_allocate_array(
        strategic->arena, merging->map->count + merging->patch->count, sizeof(*merging->out));
    if (!places || !merging->out)
        return strategic_no_memory(strategic);
    if (!strategic_copy(strategic, merging->map->count) ||
        !strategic_index_items(strategic, merging->map, key, &map) ||
        !strategic_index_items(strategic, merging->patch, key, &patch))
        return false;
    for (; merging->count < merging->map->count; merging->count++)
        merging->out[merging->count] = merging->map->items[merging->count];
    for (size_t i = 0; i < merging->patch->count; i++) {
        struct strategic_key found;
        if (!strategic_key_of(strategic, merging->patch->items[i], key, &found))
            return false;
        size_t first = strategic_find(&patch, &found), at = strategic_find(&map, &found);
        places[i] = at != SIZE_MAX ? at : first < i ? places[first] : merging->count;
        if (!merge_item(merging, merging->patch->items[i], places[i]))
            return false;
    }
    return true;
}

/* A list of primitives without repeated items. */
static const struct value *distinct(struct strategic *strategic, const struct value *list)
{
    struct strategic_index index;
    size_t count = 0;
    const struct value **items = arena_allocate_array(strategic->arena, list->count, sizeof(*items));
    if (!items)
        return strategic_no_memory(strategic);
    if (!strategic_index_items(strategic, list, SLICE(""), &index))
        return NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct strategic_key key;
        if (!strategic_key_of(strategic, list->items[i], SLICE(""), &key))
            return NULL;
        if (strategic_find(&index, &key) == i)
            items[count++] = list->items[i];
    }
    return strategic_list(strategic, items, count);
}

/*
 * Merges two lists, each in its own order: an item of `rest` comes before the first item of `first` that
 * followed it before.
 */
static const struct value *interleave(
    struct strategic *strategic, const struct value *rest, const struct value *first, struct slice key,
    const struct strategic_index *before)
{
    size_t i = 0, j = 0, count = 0;
    struct strategic_key one, other;
    const struct value **items =
        arena_allocate_array(strategic->arena, rest->count + first->count, sizeof(*items));
    if (!items)
        return strategic_no_memory(strategic);
    while (i < rest->count && j < first->count) {
        if (!strategic_key_of(strategic, rest->items[i], key, &one) ||
            !strategic_key_of(strategic, first->items[j], key, &other))
            return NULL;
        size_t left = strategic_find(before, &one), right = strategic_find(before, &other);
        bool is_before = left != SIZE_MAX && right != SIZE_MAX && left < right;
        items[count++] = is_before ? rest->items[i++] : first->items[j++];
    }
    while (i < rest->count)
        items[count++] = rest->items[i++];
    while (j < first->count)
        items[count++] = first->items[j++];
    return strategic_list(strategic, items, count);
}

/* Sorts the items that `order` names by it; the others stay in their former order, between them. */
static const struct value *put_in_order(
    struct strategic *strategic, const struct value *list, struct slice key, const struct value *order,
    const struct value *before)
{
    struct strategic_index ordered, had, of_rest;
    if (!strategic_index_items(strategic, order, key, &ordered) ||
        !strategic_index_items(strategic, before, key, &had))
        return NULL;
    const struct value *rest = without(strategic, list, &ordered, key);
    if (!rest || !strategic_index_items(strategic, rest, key, &of_rest))
        return NULL;
    const struct value *first = without(strategic, list, &of_rest, key);
    rest = strategic_sort(strategic, rest, key, &had);
    first = first ? strategic_sort(strategic, first, key, &ordered) : NULL;
    return rest && first ? interleave(strategic, rest, first, key, &had) : NULL;
}

/* Merges the patch's items into the map's. */
static const struct value *merge_items_of(struct merging *merging)
{
    const struct value *map = merging->map, *patch = merging->patch;
    if (!map->count && !patch->count)
        return map;
    if (!strategic_one_kind(merging->strategic, map, patch))
        return NULL;
    bool are_maps = (map->count ? map : patch)->items[0]->kind == VALUE_MAP;
    if (are_maps != (merging->field->key.length > 0))
        return strategic_refuse(
            merging->strategic, "items of a list that merges are of another kind than its type");
    if ((are_maps && !apply_special(merging)) || !merge_items(merging))
        return NULL;
    const struct value *list = strategic_list(merging->strategic, merging->out, merging->count);
    if (list && !are_maps)
        list = distinct(merging->strategic, list);
    return list ? put_in_order(merging->strategic, list, merging->field->key, merging->patch, merging->map)
                : NULL;
}

/*
 * The order for items that only the map has. In Kubernetes' code, the first added items overwrite the memory
 * of deleted ones, as if the map had had them there.
 */
static const struct value *order_of_map(const struct merging *merging, const struct value *map)
{
    if (!merging->out || merging->replaces || merging->map_count == merging->map->count)
        return map;
    size_t count = merging->map_count < merging->count ? merging->map_count : merging->count;
    return strategic_list(merging->strategic, merging->out, count);
}

/* Whether `order` contains the patch's items in their order. */
static bool check_order(
    struct strategic *strategic, const struct value *patch, const struct value *order, struct slice key)
{
    size_t i = 0, j = 0;
    struct strategic_key one, other;
    if (!patch || !patch->count || !order->count)
        return true;
    for (; i < patch->count; i++) {
        bool is_directive = value_member(patch->items[i], DIRECTIVE) != NULL;
        if (strategic_has_directive(patch->items[i], SLICE("delete")) || (is_directive && j < order->count))
            continue;
        if (!strategic_key_of(strategic, patch->items[i], key, &one))
            return false;
        bool is_there = false;
        while (!is_there && j < order->count) {
            if (!strategic_key_of(strategic, order->items[j++], key, &other))
                return false;
            is_there = strategic_same_key(&one, &other);
        }
        if (!is_there)
            return strategic_refuse(
                strategic, "$setElementOrder lacks an item of the patch, or has it elsewhere");
    }
    return true;
}

static struct merging begin(struct strategic *strategic, const struct strategic_lists *lists)
{
    return (struct merging){
        .strategic = strategic,
        .field = &lists->field,
        .is_patch = lists->is_patch,
        .map = lists->map,
        .patch = lists->patch,
        .map_count = lists->map ? lists->map->count : 0};
}

const struct value *strategic_merge_lists(struct strategic *strategic, const struct strategic_lists *lists)
{
    struct merging merging = begin(strategic, lists);
    return lists->field.merges ? merge_items_of(&merging) : lists->patch;
}

const struct value *strategic_merge_in_order(
    struct strategic *strategic, const struct strategic_lists *lists, const struct value *order)
{
    struct merging merging = begin(strategic, lists);
    const struct value *map = lists->map, *patch = lists->patch, *merged = map;
    struct slice key = lists->field.key;
    if (!check_order(strategic, patch, order, key) || (!map && !patch))
        return NULL;
    if (!map)
        merged = strategic_clean(strategic, patch, true);
    else if (patch)
        merged = lists->field.merges ? merge_items_of(&merging) : patch;
    if (!merged || !strategic_one_kind(strategic, map, patch))
        return NULL;
    const struct value *before = order_of_map(&merging, map);
    return strategic->has_failed ? NULL : put_in_order(strategic, merged, key, order, before);
}

const struct value *strategic_without(
    struct strategic *strategic, const struct value *list, const struct value *others)
{
    struct strategic_index index;
    if (!strategic_index_items(strategic, others, SLICE(""), &index))
        return NULL;
    return without(strategic, list, &index, SLICE(""));
}

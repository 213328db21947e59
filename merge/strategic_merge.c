#include "merge/strategic.h"

#include <stdlib.h>

/* A member of the map, of the patch or of both, and one that a directive of the patch is about. */
struct slot {
    struct slice name;
    const struct value *value; /* what the map has, and after the merge what there is; NULL: nothing */
    const struct value *patch; /* NULL: nothing */
    bool is_retained;
};

struct merging {
    struct strategic *strategic;
    struct schema_ref type;
    bool is_patch;
    struct slot *slots; /* ascending by name, each once */
    size_t count;
};

static bool is_parallel(struct slice name)
{
    return slice_starts_with(name, ELEMENT_ORDER) || slice_starts_with(name, DELETE_FROM_LIST);
}

/* The list that a directive is about; an empty slice if it names none. */
static struct slice list_of(struct slice name, struct slice directive)
{
    struct slice rest = slice_from(name, directive.length);
    return slice_starts_with(rest, SLICE("/")) ? slice_from(rest, 1) : (struct slice){NULL, 0};
}

static struct slice target_of(struct slice name)
{
    return list_of(name, slice_starts_with(name, ELEMENT_ORDER) ? ELEMENT_ORDER : DELETE_FROM_LIST);
}

static int compare_slots(const void *a, const void *b)
{
    return slice_compare(((const struct slot *)a)->name, ((const struct slot *)b)->name);
}

static void unite_slots(struct merging *merging)
{
    size_t kept = 0;
    for (size_t i = 0; i < merging->count; i++) {
        struct slot *slot = &merging->slots[i], *last = kept ? &merging->slots[kept - 1] : NULL;
        if (!last || !slice_equal(last->name, slot->name)) {
            merging->slots[kept++] = *slot;
            continue;
        }
        last->value = slot->value ? slot->value : last->value;
        last->patch = slot->patch ? slot->patch : last->patch;
    }
    merging->count = kept;
}

static bool open_slots(struct merging *merging, const struct value *map, const struct value *patch)
{
    size_t most = (map ? map->count : 0) + 2 * patch->count;
    merging->slots = arena_allocate_array(merging->strategic->arena, most, sizeof(*merging->slots));
    if (!merging->slots)
        return strategic_no_memory(merging->strategic);
    for (size_t i = 0; map && i < map->count; i++)
        merging->slots[merging->count++] =
            (struct slot){.name = map->members[i].name, .value = map->members[i].value};
    for (size_t i = 0; i < patch->count; i++) {
        struct slice name = patch->members[i].name;
        merging->slots[merging->count++] = (struct slot){.name = name, .patch = patch->members[i].value};
        if (is_parallel(name))
            merging->slots[merging->count++] = (struct slot){.name = target_of(name)};
    }
    if (merging->count)
        qsort(merging->slots, merging->count, sizeof(*merging->slots), compare_slots);
    unite_slots(merging);
    return true;
}

static struct slot *find_slot(const struct merging *merging, struct slice name)
{
    struct slot wanted = {.name = name};
    if (!merging->count)
        return NULL;
    return bsearch(&wanted, merging->slots, merging->count, sizeof(wanted), compare_slots);
}

static const struct value *finish(const struct merging *merging)
{
    struct arena *arena = merging->strategic->arena;
    struct value_member *members = arena_allocate_array(arena, merging->count, sizeof(*members));
    size_t count = 0;
    if (merging->strategic->has_failed || !members)
        return strategic_no_memory(merging->strategic);
    for (size_t i = 0; i < merging->count; i++) {
        if (merging->slots[i].value)
            members[count++] = (struct value_member){merging->slots[i].name, merging->slots[i].value};
    }
    const struct value *map = value_map(members, count, arena);
    return map ? map : strategic_no_memory(merging->strategic);
}

/* Directives that a patch takes over from another one: both have the same, or only one has it. */
static void take_directive(struct merging *merging, struct slot *slot)
{
    if (slot->value && !value_equal(slot->value, slot->patch))
        strategic_refuse(merging->strategic, "a directive of the patch contradicts another one");
    slot->value = slot->patch;
    slot->patch = NULL;
}

static void clear_others(struct merging *merging)
{
    for (size_t i = 0; i < merging->count; i++) {
        struct slot *slot = &merging->slots[i];
        if (slot->is_retained)
            continue;
        if (slot->patch && slot->patch->kind != VALUE_NULL && !is_parallel(slot->name))
            strategic_refuse(merging->strategic, "$retainKeys lacks a field of the patch");
        slot->value = NULL;
    }
}

static void retain_keys(struct merging *merging)
{
    struct slot *slot = find_slot(merging, RETAIN_KEYS);
    const struct value *names = slot ? slot->patch : NULL;
    if (!names)
        return;
    if (merging->is_patch) {
        take_directive(merging, slot);
        return;
    }
    slot->patch = NULL;
    if (names->kind != VALUE_LIST) {
        strategic_refuse(merging->strategic, "$retainKeys is no list");
        return;
    }
    for (size_t i = 0; i < names->count; i++) {
        struct slice name = value_text(names->items[i]);
        struct slot *retained = name.bytes ? find_slot(merging, name) : NULL;
        if (retained)
            retained->is_retained = true;
    }
    clear_others(merging);
}

/* A value that is new: without what has a directive, and for an object (not a patch) without nulls. */
static const struct value *clean(struct merging *merging, const struct value *value);

static const struct value *clean_map(struct merging *merging, const struct value *map)
{
    struct arena *arena = merging->strategic->arena;
    struct value_member *members = arena_allocate_array(arena, map->count, sizeof(*members));
    size_t count = 0;
    if (!members)
        return strategic_no_memory(merging->strategic);
    for (size_t i = 0; i < map->count; i++) {
        const struct value *member = map->members[i].value;
        if (merging->is_patch || member->kind != VALUE_NULL)
            member = clean(merging, member);
        else
            member = NULL;
        if (member)
            members[count++] = (struct value_member){map->members[i].name, member};
    }
    const struct value *cleaned = value_map(members, count, arena);
    return cleaned ? cleaned : strategic_no_memory(merging->strategic);
}

static const struct value *clean_list(struct merging *merging, const struct value *list)
{
    struct arena *arena = merging->strategic->arena;
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    size_t count = 0;
    if (!items)
        return strategic_no_memory(merging->strategic);
    for (size_t i = 0; i < list->count; i++) {
        const struct value *item = clean(merging, list->items[i]);
        if (item)
            items[count++] = item;
    }
    const struct value *cleaned = value_list(items, count, arena);
    return cleaned ? cleaned : strategic_no_memory(merging->strategic);
}

static const struct value *clean(struct merging *merging, const struct value *value)
{
    if (value->kind == VALUE_MAP)
        return value_member(value, DIRECTIVE) ? NULL : clean_map(merging, value);
    return value->kind == VALUE_LIST ? clean_list(merging, value) : value;
}

/* A list that merges, its parts and what comes of it. */
struct lists {
    struct strategic_field field;
    const struct value *map, *patch; /* without items that are directives */
    size_t map_count;                /* of the map's items before any was deleted */
    bool replaces;                   /* the patch's items take the place of the map's */
    const struct value **out;
    size_t count;
};

/* The items of a list without those whose keys are among others. */
static const struct value *without(
    struct merging *merging, const struct value *list, const struct strategic_index *others, struct slice key)
{
    struct arena *arena = merging->strategic->arena;
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    size_t count = 0;
    if (!items)
        return strategic_no_memory(merging->strategic);
    for (size_t i = 0; i < list->count; i++) {
        struct strategic_key found;
        if (!strategic_key_of(merging->strategic, list->items[i], key, &found))
            return NULL;
        if (strategic_find(others, &found) == SIZE_MAX)
            items[count++] = list->items[i];
    }
    const struct value *rest = value_list(items, count, arena);
    return rest ? rest : strategic_no_memory(merging->strategic);
}

/* What a patch's items say beside what merges. */
struct special {
    const struct value **deleted, **others;
    size_t deleted_count, other_count;
    bool replaces;
};

static bool split_special(struct merging *merging, const struct value *patch, struct special *special)
{
    struct arena *arena = merging->strategic->arena;
    special->deleted = arena_allocate_array(arena, patch->count, sizeof(*special->deleted));
    special->others = arena_allocate_array(arena, patch->count, sizeof(*special->others));
    if (!special->deleted || !special->others)
        return strategic_no_memory(merging->strategic);
    for (size_t i = 0; i < patch->count; i++) {
        const struct value *item = patch->items[i];
        if (!value_member(item, DIRECTIVE))
            special->others[special->other_count++] = item;
        else if (strategic_has_directive(item, SLICE("delete")))
            special->deleted[special->deleted_count++] = item;
        else if (strategic_has_directive(item, SLICE("replace")))
            special->replaces = true;
        else
            return strategic_refuse(
                merging->strategic, "the $patch of an item is neither \"delete\" nor \"replace\"");
    }
    return true;
}

/* Deletes the items that the patch deletes, or all. */
static bool apply_special(struct merging *merging, struct lists *lists)
{
    static const struct value nothing = {.kind = VALUE_LIST};
    struct special special = {0};
    struct strategic_index deleted;
    if (!split_special(merging, lists->patch, &special))
        return false;
    struct arena *arena = merging->strategic->arena;
    const struct value *delete = value_list(special.deleted, special.deleted_count, arena);
    const struct value *others = value_list(special.others, special.other_count, arena);
    if (!delete || !others)
        return strategic_no_memory(merging->strategic);
    if (!strategic_index_items(merging->strategic, delete, lists->field.key, &deleted))
        return false;
    lists->replaces = special.replaces;
    lists->patch = special.replaces ? &nothing : others;
    if (special.replaces)
        lists->map = others;
    else if (delete->count)
        lists->map = without(merging, lists->map, &deleted, lists->field.key);
    return lists->map != NULL;
}

/* An item of the patch, into the item with its key or behind all. */
static bool merge_item(struct merging *merging, struct lists *lists, const struct value *item, size_t at)
{
    if (at == lists->count)
        lists->out[lists->count++] = item;
    else if (item->kind == VALUE_MAP)
        lists->out[at] =
            strategic_merge(merging->strategic, lists->field.type, lists->out[at], item, merging->is_patch);
    return lists->out[at] != NULL;
}

/* Where in `out` the item goes: to the map's item, or to where the first of the patch with its key went. */
static bool merge_items(struct merging *merging, struct lists *lists)
{
    struct strategic *strategic = merging->strategic;
    struct strategic_index map, patch;
    struct slice key = lists->field.key;
    size_t *places = arena_allocate_array(strategic->arena, lists->patch->count, sizeof(*places));
    lists->out =
        arena_allocate_array(strategic->arena, lists->map->count + lists->patch->count, sizeof(*lists->out));
    if (!places || !lists->out)
        return strategic_no_memory(strategic);
    if (!strategic_index_items(strategic, lists->map, key, &map) ||
        !strategic_index_items(strategic, lists->patch, key, &patch))
        return false;
    for (; lists->count < lists->map->count; lists->count++)
        lists->out[lists->count] = lists->map->items[lists->count];
    for (size_t i = 0; i < lists->patch->count; i++) {
        struct strategic_key found;
        if (!strategic_key_of(strategic, lists->patch->items[i], key, &found))
            return false;
        size_t first = strategic_find(&patch, &found), at = strategic_find(&map, &found);
        places[i] = at != SIZE_MAX ? at : first < i ? places[first] : lists->count;
        if (!merge_item(merging, lists, lists->patch->items[i], places[i]))
            return false;
    }
    return true;
}

/* Of a list of primitives, each item once. */
static const struct value *distinct(struct merging *merging, const struct value *list)
{
    struct strategic_index index;
    size_t count = 0;
    const struct value **items = arena_allocate_array(merging->strategic->arena, list->count, sizeof(*items));
    if (!items)
        return strategic_no_memory(merging->strategic);
    if (!strategic_index_items(merging->strategic, list, SLICE(""), &index))
        return NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct strategic_key key;
        if (!strategic_key_of(merging->strategic, list->items[i], SLICE(""), &key))
            return NULL;
        if (strategic_find(&index, &key) == i)
            items[count++] = list->items[i];
    }
    const struct value *once = value_list(items, count, merging->strategic->arena);
    return once ? once : strategic_no_memory(merging->strategic);
}

/* Both in their own order; an item of `rest` stands before the first of `first` that it was before. */
static const struct value *interleave(
    struct merging *merging, const struct value *rest, const struct value *first, struct slice key,
    const struct strategic_index *before)
{
    struct strategic *strategic = merging->strategic;
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
    const struct value *list = value_list(items, count, strategic->arena);
    return list ? list : strategic_no_memory(strategic);
}

/* The items that `order` names as it has them; the others as they were before, between them. */
static const struct value *put_in_order(
    struct merging *merging, const struct value *list, struct slice key, const struct value *order,
    const struct value *before)
{
    struct strategic *strategic = merging->strategic;
    struct strategic_index ordered, had, of_rest;
    if (!strategic_index_items(strategic, order, key, &ordered) ||
        !strategic_index_items(strategic, before, key, &had))
        return NULL;
    const struct value *rest = without(merging, list, &ordered, key);
    if (!rest || !strategic_index_items(strategic, rest, key, &of_rest))
        return NULL;
    const struct value *first = without(merging, list, &of_rest, key);
    rest = strategic_sort(strategic, rest, key, &had);
    first = first ? strategic_sort(strategic, first, key, &ordered) : NULL;
    return rest && first ? interleave(merging, rest, first, key, &had) : NULL;
}

/* The patch's items merged into the map's. NULL: it was refused. */
static const struct value *merge_merging_lists(struct merging *merging, struct lists *lists)
{
    const struct value *map = lists->map, *patch = lists->patch;
    if (!map->count && !patch->count)
        return map;
    if (!strategic_one_kind(merging->strategic, map, patch))
        return NULL;
    bool are_maps = (map->count ? map : patch)->items[0]->kind == VALUE_MAP;
    if (are_maps != (lists->field.key.length > 0))
        return strategic_refuse(
            merging->strategic, "items of a list that merges are of another kind than its type");
    if ((are_maps && !apply_special(merging, lists)) || !merge_items(merging, lists))
        return NULL;
    const struct value *list = value_list(lists->out, lists->count, merging->strategic->arena);
    if (!list)
        return strategic_no_memory(merging->strategic);
    if (!are_maps)
        list = distinct(merging, list);
    return list ? put_in_order(merging, list, lists->field.key, lists->patch, lists->map) : NULL;
}

static const struct value *merge_lists(
    struct merging *merging, const struct strategic_field *field, struct lists *lists)
{
    lists->field = *field;
    lists->map_count = lists->map->count;
    return field->merges ? merge_merging_lists(merging, lists) : lists->patch;
}

/*
 * By what the items that only the map has are put in order. In Kubernetes' code the first items that are
 * added come to lie where deleted ones were, as if the map had had them there.
 */
static const struct value *order_of_map(
    struct merging *merging, const struct slot *slot, const struct lists *lists)
{
    if (!lists->out || lists->replaces || lists->map_count == lists->map->count)
        return slot->value;
    size_t count = lists->map_count < lists->count ? lists->map_count : lists->count;
    const struct value *list = value_list(lists->out, count, merging->strategic->arena);
    return list ? list : strategic_no_memory(merging->strategic);
}

/* Whether the patch's items are among those of the order, as they stand there. */
static bool check_order(
    struct merging *merging, const struct value *patch, const struct value *order, struct slice key)
{
    size_t i = 0, j = 0;
    struct strategic_key one, other;
    if (!patch || !patch->count || !order->count)
        return true;
    for (; i < patch->count; i++) {
        bool is_directive = value_member(patch->items[i], DIRECTIVE) != NULL;
        if (strategic_has_directive(patch->items[i], SLICE("delete")) || (is_directive && j < order->count))
            continue;
        if (!strategic_key_of(merging->strategic, patch->items[i], key, &one))
            return false;
        bool is_there = false;
        while (!is_there && j < order->count) {
            if (!strategic_key_of(merging->strategic, order->items[j++], key, &other))
                return false;
            is_there = strategic_same_key(&one, &other);
        }
        if (!is_there)
            return strategic_refuse(
                merging->strategic, "$setElementOrder lacks an item of the patch, or has it elsewhere");
    }
    return true;
}

static bool is_list_or_absent(const struct value *value)
{
    return !value || value->kind == VALUE_LIST;
}

/* The list in the order that the directive says. */
static const struct value *merge_in_order(
    struct merging *merging, const struct strategic_field *field, const struct slot *slot,
    const struct value *order)
{
    struct lists lists = {.map = slot->value, .patch = slot->patch};
    const struct value *merged = slot->value;
    if (!slot->value)
        merged =
            clean_list(&(struct merging){.strategic = merging->strategic, .is_patch = true}, slot->patch);
    else if (slot->patch)
        merged = merge_lists(merging, field, &lists);
    if (!merged || !strategic_one_kind(merging->strategic, slot->value, slot->patch))
        return NULL;
    const struct value *before = order_of_map(merging, slot, &lists);
    return merging->strategic->has_failed ? NULL : put_in_order(merging, merged, field->key, order, before);
}

static void merge_ordered(struct merging *merging, struct slot *directive)
{
    const struct value *order = directive->patch;
    struct slice name = target_of(directive->name);
    struct slot *slot = name.bytes ? find_slot(merging, name) : NULL;
    struct strategic_field field;
    if (merging->is_patch)
        take_directive(merging, directive);
    directive->patch = NULL;
    if (!slot || order->kind != VALUE_LIST || !is_list_or_absent(slot->value) ||
        !is_list_or_absent(slot->patch)) {
        strategic_refuse(merging->strategic, "a $setElementOrder is not about a list");
        return;
    }
    if (!strategic_list_field(merging->type, name, &field)) {
        strategic_refuse(merging->strategic, "a $setElementOrder is about a field that the type has not");
        return;
    }
    if (!check_order(merging, slot->patch, order, field.key) || (!slot->value && !slot->patch))
        return;
    slot->value = merge_in_order(merging, &field, slot, order);
    slot->patch = NULL;
}

static void merge_maps(struct merging *merging, struct slot *slot)
{
    struct strategic_field field;
    if (!strategic_map_field(merging->type, slot->name, &field))
        strategic_refuse_unknown(merging->strategic);
    else if (field.replaces)
        slot->value = slot->patch;
    else
        slot->value =
            strategic_merge(merging->strategic, field.type, slot->value, slot->patch, merging->is_patch);
}

static void delete_from_list(struct merging *merging, const struct slot *directive)
{
    struct slice name = target_of(directive->name);
    struct slot *slot = name.bytes ? find_slot(merging, name) : NULL;
    struct strategic_index deleted;
    if (!slot) {
        strategic_refuse(merging->strategic, "a $deleteFromPrimitiveList names no list");
        return;
    }
    if (!slot->value || slot->value->kind != VALUE_LIST || directive->patch->kind != VALUE_LIST)
        return;
    if ((slot->value->count || directive->patch->count) &&
        !strategic_one_kind(merging->strategic, slot->value, directive->patch))
        return;
    if (strategic_index_items(merging->strategic, directive->patch, SLICE(""), &deleted))
        slot->value = without(merging, slot->value, &deleted, SLICE(""));
}

static void merge_both(struct merging *merging, struct slot *slot)
{
    struct strategic_field field;
    struct lists lists = {.map = slot->value, .patch = slot->patch};
    if (slot->value->kind != slot->patch->kind || slot->patch->kind == VALUE_SCALAR)
        slot->value = clean(merging, slot->patch);
    else if (slot->patch->kind == VALUE_MAP)
        merge_maps(merging, slot);
    else if (strategic_list_field(merging->type, slot->name, &field))
        slot->value = merge_lists(merging, &field, &lists);
    else
        strategic_refuse_unknown(merging->strategic);
}

static void merge_slot(struct merging *merging, struct slot *slot)
{
    if (slice_starts_with(slot->name, DELETE_FROM_LIST)) {
        if (merging->is_patch)
            slot->value = slot->patch;
        else
            delete_from_list(merging, slot);
    } else if (slot->patch->kind == VALUE_NULL) {
        slot->value = merging->is_patch ? slot->patch : NULL;
    } else if (slot->value) {
        merge_both(merging, slot);
    } else {
        slot->value = clean(merging, slot->patch);
    }
}

/* A map whose patch says what becomes of it as a whole. */
static const struct value *merge_whole(struct strategic *strategic, const struct value *patch)
{
    static const struct value nothing = {.kind = VALUE_MAP};
    if (strategic_has_directive(patch, SLICE("delete")))
        return &nothing;
    if (!strategic_has_directive(patch, SLICE("replace")))
        return strategic_refuse(strategic, "the $patch of a map is neither \"delete\" nor \"replace\"");
    const struct value *map = value_with(patch, DIRECTIVE, NULL, strategic->arena);
    return map ? map : strategic_no_memory(strategic);
}

const struct value *strategic_merge(
    struct strategic *strategic, struct schema_ref type, const struct value *map, const struct value *patch,
    bool is_patch)
{
    struct merging merging = {.strategic = strategic, .type = type, .is_patch = is_patch};
    if (value_member(patch, DIRECTIVE))
        return merge_whole(strategic, patch);
    if (!open_slots(&merging, map, patch))
        return NULL;
    retain_keys(&merging);
    for (size_t i = 0; i < merging.count && !strategic->has_failed; i++) {
        if (merging.slots[i].patch && slice_starts_with(merging.slots[i].name, ELEMENT_ORDER))
            merge_ordered(&merging, &merging.slots[i]);
    }
    for (size_t i = 0; i < merging.count && !strategic->has_failed; i++) {
        if (merging.slots[i].patch)
            merge_slot(&merging, &merging.slots[i]);
    }
    return finish(&merging);
}

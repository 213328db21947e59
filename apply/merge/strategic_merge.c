#include "apply/merge/strategic_merge.h"

#include <stdlib.h>

/* A member of the map, the patch or both, or the target of a directive. */
struct slot {
    struct slice name;
    const struct value *value; /* the map's value, later the merged one; NULL: none */
    const struct value *patch; /* NULL: none */
    bool is_retained;
};

struct merging {
    struct strategic *strategic;
    struct schema_ref type;
    bool is_patch;
    struct slot *slots; /* ascending by name, without duplicates */
    size_t count;
};

static bool is_parallel(struct slice name)
{
    return slice_starts_with(name, ELEMENT_ORDER) || slice_starts_with(name, DELETE_FROM_LIST);
}

/* The list that a directive names; an empty slice if it names none. */
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
    return strategic_map(merging->strategic, members, count);
}

/* Copies a directive into a patch: both patches have the same directive, or only one has it. */
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
        strategic_refuse(merging->strategic, "$retainKeys is not a list");
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

static bool is_list_or_absent(const struct value *value)
{
    return !value || value->kind == VALUE_LIST;
}

static void merge_ordered(struct merging *merging, struct slot *directive)
{
    const struct value *order = directive->patch;
    struct slice name = target_of(directive->name);
    struct slot *slot = name.bytes ? find_slot(merging, name) : NULL;
    struct strategic_lists lists = {.is_patch = merging->is_patch};
    if (merging->is_patch)
        take_directive(merging, directive);
    directive->patch = NULL;
    if (!slot || order->kind != VALUE_LIST || !is_list_or_absent(slot->value) ||
        !is_list_or_absent(slot->patch)) {
        strategic_refuse(merging->strategic, "a $setElementOrder is not about a list");
        return;
    }
    if (!strategic_list_field(merging->type, name, &lists.field)) {
        strategic_refuse(merging->strategic, "a $setElementOrder is about a field that the type lacks");
        return;
    }
    lists.map = slot->value;
    lists.patch = slot->patch;
    slot->value = strategic_merge_in_order(merging->strategic, &lists, order);
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
    if (!slot) {
        strategic_refuse(merging->strategic, "a $deleteFromPrimitiveList names no list");
        return;
    }
    if (!slot->value || slot->value->kind != VALUE_LIST || directive->patch->kind != VALUE_LIST)
        return;
    if ((slot->value->count || directive->patch->count) &&
        !strategic_one_kind(merging->strategic, slot->value, directive->patch))
        return;
    slot->value = strategic_without(merging->strategic, slot->value, directive->patch);
}

static void merge_both(struct merging *merging, struct slot *slot)
{
    struct strategic_lists lists = {.map = slot->value, .patch = slot->patch, .is_patch = merging->is_patch};
    if (slot->value->kind != slot->patch->kind || slot->patch->kind == VALUE_SCALAR)
        slot->value = strategic_clean(merging->strategic, slot->patch, merging->is_patch);
    else if (slot->patch->kind == VALUE_MAP)
        merge_maps(merging, slot);
    else if (strategic_list_field(merging->type, slot->name, &lists.field))
        slot->value = strategic_merge_lists(merging->strategic, &lists);
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
        slot->value = strategic_clean(merging->strategic, slot->patch, merging->is_patch);
    }
}

/* The result of a patch that replaces or deletes the whole map. */
static const struct value *merge_whole(struct strategic *strategic, const struct value *patch)
{
    if (strategic_has_directive(patch, SLICE("delete")))
        return &value_empty_map;
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
    if (!strategic_copy(strategic, map ? map->count : 0) || !open_slots(&merging, map, patch))
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

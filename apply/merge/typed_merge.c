#include "apply/merge/items.h"
#include "apply/merge/typed.h"

/* The state of one merge: only the first failure is reported. */
struct merge {
    struct arena *arena;
    struct error *error;
    bool has_failed;
};

static const struct value *merge_values(
    struct merge *merge, struct schema_ref type, const struct value *live, const struct value *configuration);

static const struct value *no_memory(struct merge *merge)
{
    if (!merge->has_failed)
        error_set_out_of_memory(merge->error);
    merge->has_failed = true;
    return NULL;
}

static bool is_kind(const struct value *value, enum value_kind kind)
{
    return value && value->kind == kind && value->count;
}

/* A value that is not a map counts as an empty map. */
static const struct value *map_of(const struct value *value)
{
    static const struct value empty = {.kind = VALUE_MAP};
    return value && value->kind == VALUE_MAP ? value : &empty;
}

static const struct value *merge_maps(
    struct merge *merge, struct schema_ref type, const struct value *live, const struct value *configuration)
{
    size_t i = 0, j = 0, count = 0, kept = 0;
    struct arena_mark start = arena_mark(merge->arena);
    struct value_member *members =
        arena_allocate_array(merge->arena, live->count + configuration->count, sizeof(*members));
    if (!members)
        return no_memory(merge);
    while (i < live->count || j < configuration->count) {
        int order = i == live->count ? 1
            : j == configuration->count
            ? -1
            : slice_compare(live->members[i].name, configuration->members[j].name);
        struct slice name = order <= 0 ? live->members[i].name : configuration->members[j].name;
        const struct value *old = order <= 0 ? live->members[i++].value : NULL;
        const struct value *new = order >= 0 ? configuration->members[j++].value : NULL;
        const struct value *value = merge_values(merge, schema_member(type, name), old, new);
        if (value)
            members[count++] = (struct value_member){name, value};
        kept += value && value == old;
    }
    if (count && count == kept && count == live->count) {
        arena_rewind(merge->arena, start);
        return live;
    }
    return count ? value_map(members, count, merge->arena) : NULL;
}

/* Two lists with keys, and the merged list. */
struct lists {
    struct items live, new;
    bool *is_merged;    /* by position in new.in_order: the item is in the result */
    size_t next_shared; /* in new.in_order: the next item that the live list also has */
    const struct value **out;
    size_t count;
};

static const struct item *find_in_live(const struct lists *lists, size_t j)
{
    return items_find(&lists->live, lists->new.in_order[j].element);
}

static void find_shared(struct lists *lists, size_t from)
{
    lists->next_shared = from;
    while (lists->next_shared < lists->new.count && !find_in_live(lists, lists->next_shared))
        lists->next_shared++;
}

static void add(struct lists *lists, const struct value *value)
{
    if (value)
        lists->out[lists->count++] = value;
}

/*
 * If several live items have the same identity, the configuration's item replaces them: none of them is
 * merged with it.
 */
static void take_new(struct merge *merge, struct lists *lists, struct schema_ref type, size_t j)
{
    const struct item *live = find_in_live(lists, j);
    const struct value *old = live ? (live->repeats == 1 ? live->value : &value_null) : NULL;
    lists->is_merged[j] = true;
    add(lists, merge_values(merge, schema_item(type), old, lists->new.in_order[j].value));
}

/* Keeps the order of the configuration, and puts items of the live list at their places between them. */
static void merge_in_order(struct merge *merge, struct lists *lists, struct schema_ref type)
{
    size_t i = 0, j = 0;
    find_shared(lists, 0);
    while (i < lists->live.count || j < lists->new.count) {
        const struct item *live = i < lists->live.count ? &lists->live.in_order[i] : NULL;
        const struct item *same = live ? items_find(&lists->new, live->element) : NULL;
        if (live && j < lists->new.count) {
            if (slice_equal(live->element, lists->new.in_order[j].element)) {
                take_new(merge, lists, type, j++);
                i++;
                find_shared(lists, lists->next_shared + (lists->next_shared < lists->new.count));
                continue;
            }
            if (same && lists->next_shared < lists->new.count &&
                !slice_equal(lists->new.in_order[lists->next_shared].element, live->element)) {
                i++;
                continue;
            }
        }
        if (live && !same) {
            add(lists, live->value);
            i++;
            continue;
        }
        if (live && lists->is_merged[same - lists->new.in_order])
            i++;
        if (j < lists->new.count)
            take_new(merge, lists, type, j++);
    }
}

static bool is_same_list(const struct value *live, const struct value *const *items, size_t count)
{
    size_t same = 0;
    if (!is_kind(live, VALUE_LIST) || live->count != count)
        return false;
    while (same < count && live->items[same] == items[same])
        same++;
    return same == count;
}

static const struct value *merge_lists(
    struct merge *merge, struct schema_ref type, const struct value *live, const struct value *configuration)
{
    struct arena_mark start = arena_mark(merge->arena);
    struct lists lists = {
        .live = items_of(type, live, merge->arena), .new = items_of(type, configuration, merge->arena)};
    const char *problem = lists.new.problem ? lists.new.problem : lists.live.problem;
    if (lists.new.distinct < lists.new.count)
        problem = "a list has the same item twice";
    if (problem) {
        if (!merge->has_failed)
            error_set(merge->error, "%s", problem);
        merge->has_failed = true;
        return NULL;
    }
    lists.out = arena_allocate_array(merge->arena, lists.live.count + lists.new.count, sizeof(*lists.out));
    lists.is_merged = arena_allocate_array(merge->arena, lists.new.count + 1, sizeof(bool));
    if (!lists.out || !lists.is_merged)
        return no_memory(merge);
    merge_in_order(merge, &lists, type);
    if (is_same_list(live, lists.out, lists.count)) {
        arena_rewind(merge->arena, start);
        return live;
    }
    return lists.count ? value_list(lists.out, lists.count, merge->arena) : NULL;
}

/* Parts that stay as they are remain the live ones, so that later comparisons need not look into them. */
static const struct value *merge_values(
    struct merge *merge, struct schema_ref type, const struct value *live, const struct value *configuration)
{
    unsigned form = typed_form(type, configuration ? configuration : live);
    if (!configuration)
        return live;
    if (form == SCHEMA_SCALAR || schema_type_of(type)->is_atomic & form ||
        (!is_kind(live, form == SCHEMA_MAP ? VALUE_MAP : VALUE_LIST) &&
         !is_kind(configuration, form == SCHEMA_MAP ? VALUE_MAP : VALUE_LIST)))
        return live && value_equal(live, configuration) ? live : configuration;
    if (form == SCHEMA_MAP)
        return merge_maps(merge, type, map_of(live), map_of(configuration));
    return merge_lists(merge, type, live, configuration);
}

int typed_merge(
    struct schema_ref type, const struct value *live, const struct value *configuration, struct arena *arena,
    const struct value **merged, struct error *error)
{
    struct merge merge = {.arena = arena, .error = error};
    *merged = merge_values(&merge, type, live, configuration);
    if (!merge.has_failed && arena_has_failed(arena))
        no_memory(&merge);
    return merge.has_failed ? -1 : 0;
}

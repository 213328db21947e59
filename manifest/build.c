#include "manifest/build.h"

#include <stdlib.h>

#define STACK_ENTRIES_MIN 64

struct manifest_node *build_out_of_memory(struct build *build)
{
    error_set_out_of_memory(build->error);
    return NULL;
}

struct manifest_node *build_refuse(struct build *build, struct manifest_place place, const char *sentence)
{
    error_set_at(build->error, place.line, place.column, "%s", sentence);
    return NULL;
}

bool build_check_depth(struct build *build, unsigned depth, struct manifest_place place)
{
    if (depth <= MANIFEST_DEPTH_MAX)
        return true;
    error_set_at(
        build->error, place.line, place.column, "lists and maps are nested more than %d levels deep",
        MANIFEST_DEPTH_MAX);
    return false;
}

bool build_count(struct build *build, size_t nodes, size_t text_bytes, struct manifest_place place)
{
    bool overflows = __builtin_add_overflow(build->nodes, nodes, &build->nodes) ||
        __builtin_add_overflow(build->text_bytes, text_bytes, &build->text_bytes);
    if (!overflows && build->nodes <= build->limits.nodes && build->text_bytes <= build->limits.text_bytes)
        return true;
    error_set_at(
        build->error, place.line, place.column,
        "up to here the document holds more than %zu values or %zu bytes of text, aliases counted as what "
        "they stand for; split it",
        build->limits.nodes, build->limits.text_bytes);
    return false;
}

bool build_fill(
    struct build *build, struct manifest_node *node, enum manifest_kind kind, struct slice string,
    struct manifest_place place)
{
    *node = (struct manifest_node){
        .kind = kind,
        .height = kind == MANIFEST_LIST || kind == MANIFEST_MAP,
        .place = place,
        .nodes = 1,
        .text_bytes = string.length,
    };
    if (kind == MANIFEST_STRING)
        node->string = string;
    return build_count(build, 1, string.length, place);
}

struct manifest_node *build_node(
    struct build *build, enum manifest_kind kind, struct slice string, struct manifest_place place)
{
    struct manifest_node *node = arena_allocate(build->arena, sizeof(*node));
    if (!node)
        return build_out_of_memory(build);
    return build_fill(build, node, kind, string, place) ? node : NULL;
}

void build_stack_free(struct build_stack *stack)
{
    free(stack->entries);
    *stack = (struct build_stack){0};
}

/* Returns false if memory runs out. */
static bool make_room(struct build_stack *stack)
{
    size_t bytes, capacity = stack->capacity ? stack->capacity * 2 : STACK_ENTRIES_MIN;
    if (stack->count < stack->capacity)
        return true;
    struct build_entry *entries =
        __builtin_mul_overflow(capacity, sizeof(*entries), &bytes) ? NULL : realloc(stack->entries, bytes);
    stack->failed |= !entries;
    if (!entries)
        return false;
    stack->entries = entries;
    stack->capacity = capacity;
    return true;
}

struct build_container build_open(const struct build *build, struct manifest_node *node)
{
    return (struct build_container){node, build->stack->count};
}

struct build_entry *build_add(
    struct build *build, struct build_container *container, const struct manifest_member *member)
{
    struct build_stack *stack = build->stack;
    if (!make_room(stack)) {
        build_out_of_memory(build);
        return NULL;
    }
    struct build_entry *entry = &stack->entries[stack->count];
    *entry = (struct build_entry){.member = *member, .order = stack->count++};
    struct manifest_node *node = container->node;
    const struct manifest_node *value = member->value;
    node->nodes += value->nodes;
    node->text_bytes += value->text_bytes;
    if (value->height + 1 > node->height)
        node->height = value->height + 1;
    return entry;
}

static int compare_entries(const void *a, const void *b)
{
    const struct build_entry *x = a, *y = b;
    int order = slice_compare(x->member.key, y->member.key);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static void note_repeated(
    struct build *build, const struct build_entry *before, const struct build_entry *entry)
{
    /* A key after a merge key overrides it on purpose, and merges of several maps have an order. */
    if (before->is_merged)
        return;
    struct manifest_ambiguity ambiguity = {
        .kind = entry->is_merged ? MANIFEST_MERGE_OVERRIDES : MANIFEST_DUPLICATE_KEY,
        .is_key = true,
        .place = entry->is_merged ? before->member.key_place : entry->member.key_place,
        .other = entry->is_merged ? entry->member.key_place : before->member.key_place,
        .written = entry->member.key,
    };
    notes_add(build->notes, &ambiguity);
}

/* A merge key that repeats a key with the same value changes nothing. */
static bool changes_nothing(const struct build_entry *before, const struct build_entry *entry)
{
    return entry->is_merged && !before->is_merged &&
        manifest_equal(before->member.value, entry->member.value);
}

static bool is_sorted(const struct build_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (slice_compare(entries[i - 1].member.key, entries[i].member.key) >= 0)
            return false;
    }
    return true;
}

static void sort_entries(struct build_entry *entries, size_t count)
{
    if (!is_sorted(entries, count))
        qsort(entries, count, sizeof(*entries), compare_entries);
}

static struct manifest_node *close_map(
    struct build *build, struct manifest_node *node, struct build_entry *entries, size_t count)
{
    struct manifest_member *members = arena_allocate_array(build->arena, count, sizeof(*members));
    if (!members)
        return build_out_of_memory(build);
    sort_entries(entries, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && slice_equal(members[kept - 1].key, entries[i].member.key)) {
            if (changes_nothing(&entries[i - 1], &entries[i]))
                entries[i] = entries[i - 1];
            else
                note_repeated(build, &entries[i - 1], &entries[i]);
            kept--;
        }
        members[kept++] = entries[i].member;
    }
    node->members = members;
    node->count = kept;
    return node;
}

static struct manifest_node *close_list(
    struct build *build, struct manifest_node *node, const struct build_entry *entries, size_t count)
{
    const struct manifest_node **items =
        arena_allocate_array(build->arena, count, sizeof(const struct manifest_node *));
    if (!items)
        return build_out_of_memory(build);
    for (size_t i = 0; i < count; i++)
        items[i] = entries[i].member.value;
    node->items = items;
    node->count = count;
    return node;
}

struct manifest_node *build_close(struct build *build, const struct build_container *container)
{
    struct build_stack *stack = build->stack;
    struct manifest_node *node = container->node;
    const size_t count = stack->count - container->first;
    struct build_entry *entries = count ? &stack->entries[container->first] : NULL;
    stack->count = container->first;
    return node->kind == MANIFEST_MAP ? close_map(build, node, entries, count)
                                      : close_list(build, node, entries, count);
}

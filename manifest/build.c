#include "manifest/build.h"

#include <stdlib.h>

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

struct manifest_node *build_node(
    struct build *build, enum manifest_kind kind, struct slice string, struct manifest_place place)
{
    if (!build_count(build, 1, string.length, place))
        return NULL;
    struct manifest_node *node = arena_allocate_array(build->arena, 1, sizeof(*node));
    if (!node)
        return build_out_of_memory(build);
    node->kind = kind;
    node->place = place;
    node->nodes = 1;
    node->text_bytes = string.length;
    node->height = kind == MANIFEST_LIST || kind == MANIFEST_MAP;
    if (kind == MANIFEST_STRING)
        node->string = string;
    return node;
}

void build_open(struct build_container *container, struct manifest_node *node)
{
    *container = (struct build_container){.node = node};
    container->end = &container->first;
}

struct build_entry *build_add(
    struct build *build, struct build_container *container, const struct manifest_member *member)
{
    struct build_entry *entry = arena_allocate_array(build->arena, 1, sizeof(*entry));
    if (!entry) {
        build_out_of_memory(build);
        return NULL;
    }
    entry->member = *member;
    entry->order = container->count++;
    *container->end = entry;
    container->end = &entry->next;
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
    const struct build_entry *x = *(const struct build_entry *const *)a;
    const struct build_entry *y = *(const struct build_entry *const *)b;
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

static bool is_sorted(struct build_entry *const *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (slice_compare(entries[i - 1]->member.key, entries[i]->member.key) >= 0)
            return false;
    }
    return true;
}

static struct manifest_node *close_map(struct build *build, struct build_container *container)
{
    struct build_entry **sorted =
        arena_allocate_array(build->arena, container->count, sizeof(struct build_entry *));
    struct manifest_member *members = arena_allocate_array(build->arena, container->count, sizeof(*members));
    if (!sorted || !members)
        return build_out_of_memory(build);
    size_t count = 0;
    for (struct build_entry *entry = container->first; entry; entry = entry->next)
        sorted[count++] = entry;
    if (!is_sorted(sorted, count))
        qsort(sorted, count, sizeof(struct build_entry *), compare_entries);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && slice_equal(members[kept - 1].key, sorted[i]->member.key)) {
            if (changes_nothing(sorted[i - 1], sorted[i]))
                sorted[i] = sorted[i - 1];
            else
                note_repeated(build, sorted[i - 1], sorted[i]);
            kept--;
        }
        members[kept++] = sorted[i]->member;
    }
    container->node->members = members;
    container->node->count = kept;
    return container->node;
}

static struct manifest_node *close_list(struct build *build, struct build_container *container)
{
    const struct manifest_node **items =
        arena_allocate_array(build->arena, container->count, sizeof(const struct manifest_node *));
    if (!items)
        return build_out_of_memory(build);
    size_t count = 0;
    for (const struct build_entry *entry = container->first; entry; entry = entry->next)
        items[count++] = entry->member.value;
    container->node->items = items;
    container->node->count = count;
    return container->node;
}

struct manifest_node *build_close(struct build *build, struct build_container *container)
{
    return container->node->kind == MANIFEST_MAP ? close_map(build, container) : close_list(build, container);
}

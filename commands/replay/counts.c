#include "commands/replay/counts.h"

#include "base/text.h"

struct name_table replay_counts_start(struct arena *arena)
{
    return (struct name_table){.arena = arena, .record_bytes = sizeof(struct replay_count)};
}

struct replay_count *replay_counts_item(const struct name_table *counts, size_t index)
{
    return name_table_item(counts, index);
}

/* Without its end, a name of several parts would be another one. */
static bool is_cut_in_parts(struct slice name)
{
    return name.length > REPLAY_NAME_BYTES_MAX && slice_contains(name, '\0');
}

/* The row of the name, which is added if it is missing. NULL: out of memory. */
static struct replay_count *row_of(struct name_table *counts, struct slice name)
{
    bool has_place = !is_cut_in_parts(name);
    name = text_cut(name, REPLAY_NAME_BYTES_MAX);
    has_place = has_place && (counts->count < REPLAY_NAMES_MAX || name_table_find(counts, name));
    return name_table_add(counts, has_place ? name : SLICE(REPLAY_OTHER_NAMES));
}

struct replay_count *replay_counts_row_of_parts(
    struct name_table *counts, const struct slice *parts, size_t count, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_append(&text, (struct slice){"", 1});
        text_append_printable(&text, parts[i]);
    }
    struct slice name = text_slice(&text);
    return name.bytes ? row_of(counts, name) : NULL;
}

struct slice replay_counts_part(struct slice name, size_t index)
{
    while (index--)
        name = slice_from(name, slice_find(name, '\0') + 1);
    return slice_until(name, slice_find(name, '\0'));
}

bool replay_counts_add(struct name_table *counts, struct slice name, size_t column, uint64_t number)
{
    struct replay_count *found = row_of(counts, name);
    if (!found)
        return false;
    found->values[column] += number;
    return true;
}

void replay_counts_sort(struct name_table *counts)
{
    name_table_sort(counts, slice_compare_items);
}

static int compare_numbers(const struct replay_count *a, const struct replay_count *b)
{
    for (int column = REPLAY_COLUMNS - 1; column >= 0; column--) {
        if (a->values[column] != b->values[column])
            return a->values[column] > b->values[column] ? -1 : 1;
    }
    return slice_compare(a->name, b->name);
}

const struct replay_count *replay_counts_next(
    const struct name_table *counts, const struct replay_count *last)
{
    const struct replay_count *next = NULL;
    for (size_t i = 0; i < counts->count; i++) {
        const struct replay_count *item = replay_counts_item(counts, i);
        if ((!last || compare_numbers(item, last) > 0) && (!next || compare_numbers(item, next) < 0))
            next = item;
    }
    return next;
}

bool replay_counts_at_least(
    const struct name_table *counts, size_t column, uint64_t least, struct arena *arena,
    struct name_table *found)
{
    *found = replay_counts_start(arena);
    for (size_t i = 0; i < counts->count; i++) {
        const struct replay_count *item = replay_counts_item(counts, i);
        bool is_found = item->values[column] >= least && !slice_equal(item->name, SLICE(REPLAY_OTHER_NAMES));
        struct replay_count *copy = is_found ? name_table_add(found, item->name) : NULL;
        if (copy)
            *copy = *item;
    }
    return !arena_has_failed(arena);
}

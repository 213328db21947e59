#include "commands/replay/counts.h"

#include "base/siphash.h"
#include "base/text.h"

#include <stdlib.h>

/* The result does not depend on the run, so the seed is fixed: names that collide only cost time. */
static size_t hash_of(struct slice name)
{
    return siphash(name, (struct siphash_seed){{0x7265706c6179, 0x636f756e7473}});
}

static uint32_t *place_of(const struct replay_counts *counts, struct slice name)
{
    size_t place = hash_of(name) % counts->place_count;
    while (counts->places[place] && !slice_equal(counts->items[counts->places[place] - 1].name, name))
        place = (place + 1) % counts->place_count;
    return &counts->places[place];
}

/* Keeps the table half empty. */
static bool make_room(struct replay_counts *counts)
{
    if (counts->count * 2 < counts->place_count)
        return true;
    size_t place_count = counts->place_count ? counts->place_count * 2 : 32;
    uint32_t *places = arena_allocate_array(counts->arena, place_count, sizeof(*places));
    if (!places)
        return false;
    counts->places = places;
    counts->place_count = place_count;
    for (size_t i = 0; i < counts->count; i++)
        *place_of(counts, counts->items[i].name) = (uint32_t)i + 1;
    return true;
}

static struct replay_count *find_or_add(struct replay_counts *counts, struct slice name)
{
    if (!make_room(counts))
        return NULL;
    uint32_t *place = place_of(counts, name);
    if (*place)
        return &counts->items[*place - 1];
    struct replay_count *items =
        arena_grow(counts->arena, counts->items, counts->count, &counts->capacity, sizeof(*items));
    struct slice copy = arena_copy(counts->arena, name);
    if (!items || (name.length && !copy.bytes))
        return NULL;
    counts->items = items;
    items[counts->count] = (struct replay_count){.name = copy};
    *place = (uint32_t)++counts->count;
    return &items[counts->count - 1];
}

struct replay_count *replay_counts_row(struct replay_counts *counts, struct slice name)
{
    name = text_cut(name, REPLAY_NAME_BYTES_MAX);
    bool is_full = counts->count >= REPLAY_NAMES_MAX && !*place_of(counts, name);
    return find_or_add(counts, is_full ? SLICE(REPLAY_OTHER_NAMES) : name);
}

bool replay_counts_add(struct replay_counts *counts, struct slice name, size_t column, uint64_t number)
{
    struct replay_count *found = replay_counts_row(counts, name);
    if (!found)
        return false;
    found->values[column] += number;
    return true;
}

static int compare(const void *a, const void *b)
{
    return slice_compare(((const struct replay_count *)a)->name, ((const struct replay_count *)b)->name);
}

void replay_counts_sort(struct replay_counts *counts)
{
    if (counts->count)
        qsort(counts->items, counts->count, sizeof(*counts->items), compare);
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
    const struct replay_counts *counts, const struct replay_count *last)
{
    const struct replay_count *next = NULL;
    for (size_t i = 0; i < counts->count; i++) {
        const struct replay_count *item = &counts->items[i];
        if ((!last || compare_numbers(item, last) > 0) && (!next || compare_numbers(item, next) < 0))
            next = item;
    }
    return next;
}

bool replay_counts_at_least(
    const struct replay_counts *counts, size_t column, uint64_t least, struct arena *arena,
    struct replay_counts *found)
{
    *found = (struct replay_counts){
        .items = arena_allocate_array(arena, counts->count + 1, sizeof(*counts->items))};
    for (size_t i = 0; found->items && i < counts->count; i++) {
        if (counts->items[i].values[column] >= least)
            found->items[found->count++] = counts->items[i];
    }
    return found->items;
}

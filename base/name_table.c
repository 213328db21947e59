#include "base/name_table.h"

#include "base/siphash.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The result does not depend on the run, so the seed is fixed: names that collide only cost time. */
static size_t hash_of(struct slice name)
{
    return siphash(name, (struct siphash_seed){{0x7363616e, 0x7461626c65}});
}

void *name_table_item(const struct name_table *table, size_t index)
{
    return table->records + index * table->record_bytes;
}

static struct slice name_of(const struct name_table *table, size_t index)
{
    return *(const struct slice *)name_table_item(table, index);
}

static uint32_t *place_of(const struct name_table *table, struct slice name)
{
    size_t place = hash_of(name) % table->place_count;
    while (table->places[place] && !slice_equal(name_of(table, table->places[place] - 1), name))
        place = (place + 1) % table->place_count;
    return &table->places[place];
}

/* Keeps the table half empty. */
static bool make_room(struct name_table *table)
{
    if (table->count * 2 < table->place_count)
        return true;
    size_t place_count = table->place_count ? table->place_count * 2 : 32;
    uint32_t *places = arena_allocate_array(table->arena, place_count, sizeof(*places));
    if (!places)
        return false;
    table->places = places;
    table->place_count = place_count;
    for (size_t i = 0; i < table->count; i++)
        *place_of(table, name_of(table, i)) = (uint32_t)i + 1;
    return true;
}

static void *add(struct name_table *table, struct slice name, uint32_t *place)
{
    char *records =
        arena_grow(table->arena, table->records, table->count, &table->capacity, table->record_bytes);
    struct slice copy = arena_copy(table->arena, name);
    if (!records || (name.length && !copy.bytes))
        return NULL;
    table->records = records;
    char *record = name_table_item(table, table->count);
    memset(record, 0, table->record_bytes);
    memcpy(record, &copy, sizeof(copy));
    *place = (uint32_t)++table->count;
    return record;
}

void *name_table_add(struct name_table *table, struct slice name)
{
    name = text_cut(name, NAME_TABLE_BYTES_MAX);
    if (!make_room(table))
        return NULL;
    uint32_t *place = place_of(table, name);
    if (*place)
        return name_table_item(table, *place - 1);
    if (table->limit && table->count >= table->limit) {
        table->left_out++;
        return NULL;
    }
    return add(table, name, place);
}

void *name_table_find(const struct name_table *table, struct slice name)
{
    if (!table->place_count)
        return NULL;
    uint32_t place = *place_of(table, text_cut(name, NAME_TABLE_BYTES_MAX));
    return place ? name_table_item(table, place - 1) : NULL;
}

void name_table_sort(struct name_table *table, int (*compare)(const void *, const void *))
{
    if (table->count)
        qsort(table->records, table->count, table->record_bytes, compare);
}

#include "policy/analysis/rewritten_fields.h"

#include <stdlib.h>

static void add(struct rewritten_fields *fields, struct slice text, struct arena *arena)
{
    if (fields->count == REWRITES_MAX) {
        fields->at_least = true;
        return;
    }
    if (!fields->items)
        fields->items = arena_allocate_array(arena, REWRITES_MAX, sizeof(*fields->items));
    if (fields->items && text.bytes)
        fields->items[fields->count++] = text;
}

void rewritten_fields_add(struct rewritten_fields *fields, const struct path *path, struct arena *arena)
{
    struct text text = text_start(arena, 96);
    if (fields->count < REWRITES_MAX)
        path_append(&text, path);
    add(fields, text_slice(&text), arena);
}

void rewritten_fields_add_all(
    struct rewritten_fields *fields, const struct rewritten_fields *more, struct arena *arena)
{
    fields->at_least |= more->at_least;
    for (size_t i = 0; i < more->count; i++)
        add(fields, more->items[i], arena);
}

void rewritten_fields_sort(struct rewritten_fields *fields)
{
    size_t count = fields->count;
    if (!count)
        return;
    qsort(fields->items, count, sizeof(*fields->items), slice_compare_items);
    fields->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!fields->count || !slice_equal(fields->items[fields->count - 1], fields->items[i]))
            fields->items[fields->count++] = fields->items[i];
    }
}

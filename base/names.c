#include "base/names.h"

#include <stdlib.h>

bool names_add(struct names *names, const char *name)
{
    const char **items = realloc(names->items, (names->count + 1) * sizeof(*items));
    if (!items)
        return false;
    items[names->count++] = name;
    names->items = items;
    return true;
}

void names_release(struct names *names)
{
    free(names->items);
    *names = (struct names){NULL, 0};
}

struct slice_list names_slices(const struct names *names, struct arena *arena)
{
    struct slice *items = arena_allocate_array(arena, names->count + 1, sizeof(*items));
    for (size_t i = 0; items && i < names->count; i++)
        items[i] = slice_of(names->items[i]);
    return (struct slice_list){items, items ? names->count : 0};
}

const char *names_flag(const char *value, void *field)
{
    return names_add(field, value) ? NULL : "is one too many: out of memory";
}

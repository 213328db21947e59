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

const char *names_flag(const char *value, void *field)
{
    return names_add(field, value) ? NULL : "is one too many: out of memory";
}

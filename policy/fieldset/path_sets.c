#include "policy/fieldset/path.h"

#include "base/search.h"

#include <stdlib.h>

/* A byte that ends an element comes before one that continues it. */
static int rank(char byte)
{
    return byte == '.' ? 0 : byte == '[' ? 1 : (unsigned char)byte + 2;
}

static int compare_printed(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    size_t common = x->length < y->length ? x->length : y->length, i = 0;
    while (i < common && x->bytes[i] == y->bytes[i])
        i++;
    if (i < common)
        return rank(x->bytes[i]) - rank(y->bytes[i]);
    return (x->length > y->length) - (x->length < y->length);
}

struct printed_paths printed_paths_sort(struct slice *paths, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(paths, count, sizeof(*paths), compare_printed);
    for (size_t i = 0; i < count; i++) {
        if (!kept || !path_printed_covers(paths[kept - 1], paths[i]))
            paths[kept++] = paths[i];
    }
    return (struct printed_paths){paths, kept};
}

static bool is_printed_before(const void *item, const void *printed)
{
    return compare_printed(item, printed) < 0;
}

bool printed_paths_cover(const struct printed_paths *paths, struct slice printed)
{
    size_t position =
        search_first(paths->items, paths->count, sizeof(*paths->items), is_printed_before, &printed);
    return (position < paths->count && slice_equal(paths->items[position], printed)) ||
        (position && path_printed_covers(paths->items[position - 1], printed));
}

#include "manifest/node.h"

const struct manifest_member *manifest_find_member(const struct manifest_node *map, struct slice key)
{
    if (!map || map->kind != MANIFEST_MAP)
        return NULL;
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(map->members[middle].key, key);
        if (order == 0)
            return &map->members[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct manifest_node *manifest_member(const struct manifest_node *map, struct slice key)
{
    const struct manifest_member *member = manifest_find_member(map, key);
    return member ? member->value : NULL;
}

static bool equal_members(const struct manifest_node *a, const struct manifest_node *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (!slice_equal(a->members[i].key, b->members[i].key) ||
            !manifest_equal(a->members[i].value, b->members[i].value))
            return false;
    return true;
}

static bool equal_items(const struct manifest_node *a, const struct manifest_node *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (!manifest_equal(a->items[i], b->items[i]))
            return false;
    return true;
}

bool manifest_equal(const struct manifest_node *a, const struct manifest_node *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    switch (a->kind) {
    case MANIFEST_NULL:
        return true;
    case MANIFEST_BOOL:
        return a->boolean == b->boolean;
    case MANIFEST_INT:
        return a->integer == b->integer;
    case MANIFEST_FLOAT:
        return a->real == b->real;
    case MANIFEST_STRING:
        return slice_equal(a->string, b->string);
    case MANIFEST_LIST:
        return equal_items(a, b);
    case MANIFEST_MAP:
        return equal_members(a, b);
    }
    return false;
}

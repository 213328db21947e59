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

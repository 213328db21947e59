#include "manifest/node.h"

#include "base/search.h"

/* Up to here a search through all members is quicker: few keys have the same length. */
#define FEW_MEMBERS_MAX 12

static const struct manifest_member *find_among_few(const struct manifest_node *map, struct slice key)
{
    for (size_t i = 0; i < map->count; i++)
        if (slice_equal(map->members[i].key, key))
            return &map->members[i];
    return NULL;
}

static bool is_before(const void *member, const void *key)
{
    return slice_compare(((const struct manifest_member *)member)->key, *(const struct slice *)key) < 0;
}

static const struct manifest_member *find_in_order(const struct manifest_node *map, struct slice key)
{
    size_t first = search_first(map->members, map->count, sizeof(*map->members), is_before, &key);
    bool is_found = first < map->count && slice_equal(map->members[first].key, key);
    return is_found ? &map->members[first] : NULL;
}

const struct manifest_member *manifest_find_member(const struct manifest_node *map, struct slice key)
{
    if (!map || map->kind != MANIFEST_MAP)
        return NULL;
    return map->count <= FEW_MEMBERS_MAX ? find_among_few(map, key) : find_in_order(map, key);
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

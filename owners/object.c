#include "owners/object.h"

#include "base/search.h"

const struct path *blame_path(const struct blame_node *node)
{
    return node->parent ? &node->path : NULL;
}

const struct blame_holder *blame_next_owner(const struct blame_node *node, const struct blame_holder *last)
{
    for (size_t i = last ? (size_t)(last - node->holders) + 1 : 0; i < node->holder_count; i++) {
        const struct blame_holder *holder = &node->holders[i];
        if (holder->is_owner && (!last || holder->entry != last->entry))
            return holder;
    }
    return NULL;
}

bool blame_is_owned_by(const struct blame_node *node, struct slice manager)
{
    for (const struct blame_holder *owner = NULL; (owner = blame_next_owner(node, owner));)
        if (slice_equal(owner->entry->manager.name, manager))
            return true;
    return false;
}

bool blame_has_manager(const struct blame *blame, struct slice manager)
{
    for (size_t i = 0; i < blame->managed_fields->count; i++)
        if (slice_equal(blame->managed_fields->entries[i].manager.name, manager))
            return true;
    return false;
}

static bool is_name_before(const void *child, const void *name)
{
    return slice_compare(((const struct blame_node *)child)->name, *(const struct slice *)name) < 0;
}

struct blame_node *blame_child(const struct blame_node *map, struct slice name)
{
    size_t first =
        search_first(map->children, map->child_count, sizeof(*map->children), is_name_before, &name);
    bool is_found = first < map->child_count && slice_equal(map->children[first].name, name);
    return is_found ? &map->children[first] : NULL;
}

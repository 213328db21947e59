#include "preview/paths.h"

struct gathering {
    struct arena *arena;
    struct slice *items; /* NULL: they are only counted */
    size_t count;
};

static void gather(void *context, const struct path *path)
{
    struct gathering *gathering = context;
    if (gathering->items) {
        struct text text = text_start(gathering->arena, 96);
        path_append(&text, path);
        gathering->items[gathering->count] = text_slice(&text);
    }
    gathering->count++;
}

struct slice_list paths_of(const struct field_set *set, struct arena *arena)
{
    struct gathering gathering = {.arena = arena};
    field_set_walk(set, arena, gather, &gathering);
    gathering.items = arena_allocate_array(arena, gathering.count + 1, sizeof(*gathering.items));
    /* Where memory ran out, the walk did not count all. */
    if (arena_has_failed(arena))
        return (struct slice_list){NULL, 0};
    gathering.count = 0;
    field_set_walk(set, arena, gather, &gathering);
    return (struct slice_list){gathering.items, gathering.count};
}

static const struct field_set *leaves_of(const struct field_set *set, struct arena *arena)
{
    struct field_node *nodes = arena_allocate_array(arena, set->count + 1, sizeof(*nodes));
    struct field_set *leaves = arena_allocate_array(arena, 1, sizeof(*leaves));
    if (!nodes || !leaves)
        return &field_set_empty;
    for (size_t i = 0; i < set->count; i++) {
        nodes[i] = set->nodes[i];
        nodes[i].below = leaves_of(nodes[i].below, arena);
        nodes[i].is_member = nodes[i].is_member && !nodes[i].below->count;
    }
    *leaves = (struct field_set){nodes, set->count};
    return leaves;
}

struct slice_list paths_of_leaves(const struct field_set *set, struct arena *arena)
{
    return paths_of(leaves_of(set, arena), arena);
}

#include "apply/merge/paths.h"

#include "base/text.h"
#include "policy/fieldset/fields_element.h"

struct gathering {
    struct arena *arena;
    struct slice *items; /* NULL: only count */
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
    /* If memory ran out, the walk did not count all. */
    if (arena_has_failed(arena))
        return (struct slice_list){NULL, 0};
    gathering.count = 0;
    field_set_walk(set, arena, gather, &gathering);
    return (struct slice_list){gathering.items, gathering.count};
}

struct slice_list paths_of_leaves(const struct field_set *set, struct arena *arena)
{
    return paths_of(field_set_leaves(set, arena), arena);
}

struct selection {
    struct arena *arena;
    const struct printed_paths *paths;
    bool is_covered;  /* selects covered fields, or else the others */
    struct text path; /* the printed path of the current node */
};

static const struct field_set *select_fields(struct selection *selection, const struct field_set *set);

/* Returns false if nothing of the node is selected. */
static bool select_node(struct selection *selection, struct field_node *node)
{
    struct path element = {.depth = 1};
    bool is_known;
    size_t length = selection->path.length;
    if (!fields_decode_element(node->element, selection->arena, &element, &is_known))
        return false;
    path_append_element(&selection->path, &element);
    struct slice printed = text_slice(&selection->path);
    bool is_selected = node->below->count
        ? (node->below = select_fields(selection, node->below))->count
        : printed_paths_cover(selection->paths, printed) == selection->is_covered;
    selection->path.length = length;
    return is_selected;
}

static const struct field_set *select_fields(struct selection *selection, const struct field_set *set)
{
    struct field_node *nodes = arena_allocate_array(selection->arena, set->count + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < set->count; i++) {
        nodes[count] = set->nodes[i];
        count += select_node(selection, &nodes[count]);
    }
    return field_set_of(nodes, count, selection->arena);
}

const struct field_set *fields_at_paths(
    const struct field_set *set, const struct printed_paths *paths, struct arena *arena)
{
    struct selection selection = {arena, paths, true, text_start(arena, 256)};
    return select_fields(&selection, set);
}

const struct field_set *fields_at_no_path(
    const struct field_set *set, const struct printed_paths *paths, struct arena *arena)
{
    struct selection selection = {arena, paths, false, text_start(arena, 256)};
    return select_fields(&selection, set);
}

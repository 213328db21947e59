#include "policy/fieldset/fieldset_overlap.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fieldset_index.h"
#include "policy/fieldset/lookup_state.h"

/* The state of one level of the walk, for each other set. Made once a depth and used for all nodes there. */
struct level {
    struct fieldset_index *finders;
    yyjson_val **found;
};

struct overlap_walk {
    size_t count;
    struct lookup *lookup;
    overlap_visit *visit;
    void *context;
    enum fields_result unread; /* why a part could not be read; FIELDS_OK: all was read */
    unsigned level_count;      /* a level is made after those above it */
    struct level levels[JSON_DEPTH_MAX + 1];
};

static struct level *level_at(struct overlap_walk *walk, unsigned depth)
{
    struct level *level = &walk->levels[depth];
    if (depth < walk->level_count)
        return level;
    *level = (struct level){NULL, NULL};
    walk->level_count = depth + 1;
    if (!walk->count)
        return level;
    level->finders =
        arena_allocate(walk->lookup->arena, walk->count * (sizeof(*level->finders) + sizeof(*level->found)));
    if (!level->finders)
        return NULL;
    level->found = (yyjson_val **)(void *)(level->finders + walk->count);
    return level;
}

static enum fields_result find_others(
    struct overlap_walk *walk, struct level *level, struct slice key, struct overlap_node *node)
{
    struct fields_key wanted = {.text = key};
    node->others = level->found;
    for (size_t i = 0; i < walk->count; i++) {
        enum fields_result result = fieldset_index_find(&level->finders[i], &wanted, &level->found[i]);
        if (result != FIELDS_OK)
            return result;
        node->shared += level->found[i] != NULL;
    }
    return FIELDS_OK;
}

static enum fields_result walk_children(struct overlap_walk *walk, const struct overlap_node *node);

static enum fields_result visit_node(struct overlap_walk *walk, const struct overlap_node *node)
{
    switch (walk->visit(walk->context, node)) {
    case WALK_STOP:
        return FIELDS_STOPPED;
    case WALK_PASS:
        return FIELDS_OK;
    case WALK_DESCEND:
        break;
    }
    return node->is_leaf ? FIELDS_OK : walk_children(walk, node);
}

/* The element is given back, unless something that stays was allocated behind it. */
static enum fields_result walk_child(
    struct overlap_walk *walk, const struct path *parent, struct slice key, struct overlap_node node)
{
    struct arena *arena = walk->lookup->arena;
    struct arena_mark start = arena_mark(arena);
    struct path element = path_below(parent);
    bool known;
    if (!fields_decode_element(key, arena, &element, &known))
        return known ? FIELDS_MALFORMED : FIELDS_OK;
    node.path = &element;
    struct arena_mark decoded = arena_mark(arena);
    enum fields_result result = visit_node(walk, &node);
    if (arena_is_at(arena, decoded))
        arena_rewind(arena, start);
    return result;
}

/* Only the unreadable part is passed over. */
static enum fields_result pass_over(struct overlap_walk *walk, enum fields_result result)
{
    if (!fields_unread(result))
        return result;
    walk->unread = result;
    return FIELDS_OK;
}

static enum fields_result walk_children(struct overlap_walk *walk, const struct overlap_node *node)
{
    unsigned depth = node->path ? node->path->depth : 0;
    if (depth >= JSON_DEPTH_MAX)
        return FIELDS_TOO_DEEP;
    struct level *level = level_at(walk, depth);
    if (!level)
        return FIELDS_OUT_OF_MEMORY;
    for (size_t i = 0; i < walk->count; i++)
        fieldset_index_start(
            &level->finders[i], node->others[i], walk->lookup, yyjson_obj_size(node->fields));
    if (!yyjson_is_obj(node->fields))
        return FIELDS_MALFORMED;
    json_each_key(key, node->fields) {
        struct slice text = json_text(key);
        if (fields_is_membership(text))
            continue;
        yyjson_val *fields = yyjson_obj_iter_get_val(key);
        struct overlap_node child = {.fields = fields, .is_leaf = fields_is_leaf(fields)};
        enum fields_result result = find_others(walk, level, text, &child);
        if (result == FIELDS_OK)
            result = walk_child(walk, node->path, text, child);
        result = pass_over(walk, result);
        if (result != FIELDS_OK)
            return result;
    }
    return FIELDS_OK;
}

enum fields_result fieldset_overlap_walk(
    yyjson_val *fields, yyjson_val *const *others, size_t count, struct lookup *lookup, overlap_visit *visit,
    void *context)
{
    if (!fields)
        return FIELDS_OK;
    struct overlap_walk *walk = arena_allocate(lookup->arena, sizeof(*walk));
    if (!walk)
        return FIELDS_OUT_OF_MEMORY;
    walk->level_count = 0;
    walk->unread = FIELDS_OK;
    walk->count = count;
    walk->lookup = lookup;
    walk->visit = visit;
    walk->context = context;
    enum fields_result result =
        walk_children(walk, &(struct overlap_node){.fields = fields, .others = others});
    return result == FIELDS_OK ? walk->unread : result;
}

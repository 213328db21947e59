#include "policy/fieldset/fields.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fieldset_index.h"
#include "policy/fieldset/lookup_state.h"

struct difference_walk {
    struct lookup *lookup;
    bool has_kept; /* what was visited last has allocated what stays */
    fields_visit *visit;
    void *context;
    enum fields_result unread; /* why a part could not be read; FIELDS_OK: all was read */
};

bool fields_stand_for_all(const struct path *path, yyjson_val *node)
{
    return fields_is_leaf(node) || path->kind != PATH_FIELD ||
        (yyjson_obj_getn(node, ".", 1) && yyjson_obj_size(node) > 2 &&
         !path_is_metadata(path, SLICE("annotations")));
}

/* The nodes of both sets at one path. */
struct nodes {
    yyjson_val *before;
    yyjson_val *after; /* NULL: absent */
    /* The first value in `before` that is another in `after`; NULL: not known. */
    const yyjson_val *difference;
};

/* Whether all that is in `before` is in `after`. A result that the parents imply is not computed again. */
static bool is_kept_whole(struct nodes *child, const struct nodes *parent)
{
    child->difference = NULL;
    if (!child->after || fields_is_leaf(child->before))
        return child->after;
    bool is_in_place = parent->difference && child->after - parent->after == child->before - parent->before;
    if (is_in_place && unsafe_yyjson_get_next(child->before) <= parent->difference)
        return true;
    if (is_in_place && child->before <= parent->difference) {
        child->difference = parent->difference;
        return false;
    }
    return json_identical_up_to(child->before, child->after, &child->difference);
}

static enum fields_result walk_node(
    struct difference_walk *walk, const struct path *path, const struct nodes *nodes);

static enum fields_result walk_child(
    struct difference_walk *walk, const struct path *parent, struct slice key, const struct nodes *nodes)
{
    struct path element = path_below(parent);
    bool known;
    if (!fields_decode_element(key, walk->lookup->arena, &element, &known))
        return known ? FIELDS_MALFORMED : FIELDS_OK;
    struct arena_mark decoded = arena_mark(walk->lookup->arena);
    enum fields_result result = FIELDS_OK;
    if (!fields_is_leaf(nodes->before))
        result = walk_node(walk, &element, nodes);
    else if (!walk->visit(walk->context, &element))
        result = FIELDS_STOPPED;
    walk->has_kept = !arena_is_at(walk->lookup->arena, decoded);
    return result;
}

/* Returns the memory that only the walk of a child needed, unless a lasting allocation followed it. */
static enum fields_result compare_child(
    struct difference_walk *walk, const struct path *path, struct fieldset_index *finder,
    const struct nodes *nodes, yyjson_val *key)
{
    struct arena *arena = walk->lookup->arena;
    struct arena_mark start = arena_mark(arena);
    const struct children_index *children = finder->children;
    bool was_search = finder->search;
    struct fields_key wanted = {.text = json_text(key)};
    struct nodes child = {.before = yyjson_obj_iter_get_val(key)};
    enum fields_result result = fieldset_index_find(finder, &wanted, &child.after);
    if (finder->children != children || was_search != (finder->search > 0))
        start = arena_mark(arena);
    walk->has_kept = false;
    if (result == FIELDS_OK && !is_kept_whole(&child, nodes))
        result = walk_child(walk, path, wanted.text, &child);
    if (!walk->has_kept)
        arena_rewind(arena, start);
    return result;
}

/* Only the unreadable part is passed over: an owner must not lose its other fields unseen. */
static enum fields_result pass_over(struct difference_walk *walk, enum fields_result result)
{
    if (!fields_unread(result))
        return result;
    walk->unread = result;
    return FIELDS_OK;
}

static enum fields_result walk_node(
    struct difference_walk *walk, const struct path *path, const struct nodes *nodes)
{
    if (path && path->depth >= JSON_DEPTH_MAX)
        return FIELDS_TOO_DEEP;
    if (!yyjson_is_obj(nodes->before))
        return FIELDS_MALFORMED;
    struct fieldset_index finder;
    fieldset_index_start(&finder, nodes->after, walk->lookup, yyjson_obj_size(nodes->before));
    json_each_key(key, nodes->before) {
        if (fields_is_membership(json_text(key)))
            continue;
        enum fields_result result = pass_over(walk, compare_child(walk, path, &finder, nodes, key));
        if (result != FIELDS_OK)
            return result;
    }
    return FIELDS_OK;
}

enum fields_result fields_difference(
    yyjson_val *before, yyjson_val *after, struct lookup *lookup, fields_visit *visit, void *context)
{
    struct nodes nodes = {before, after, NULL};
    if (!before || json_identical_up_to(before, after, &nodes.difference))
        return FIELDS_OK;
    struct difference_walk walk = {.lookup = lookup, .visit = visit, .context = context};
    enum fields_result result = walk_node(&walk, NULL, &nodes);
    return result == FIELDS_OK ? walk.unread : result;
}

yyjson_val *fields_child(yyjson_val *fields, struct slice name)
{
    json_each_key(key, fields) {
        yyjson_val *child = yyjson_obj_iter_get_val(key);
        struct slice text = json_text(key);
        if (text.length == name.length + 2 && text.bytes[0] == 'f' && text.bytes[1] == ':' &&
            slice_equal(slice_from(text, 2), name))
            return child;
    }
    return NULL;
}

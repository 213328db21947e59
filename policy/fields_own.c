#include "policy/fields_own.h"

#include "policy/fields.h"

struct search {
    struct lookup *lookup;
    bool is_cut_short;
};

/* The node at the path or, where {} above it says that a value is owned whole, that one. */
static yyjson_val *node_at(struct search *search, yyjson_val *fields, const struct path *path)
{
    if (!path || search->is_cut_short)
        return fields;
    yyjson_val *parent = node_at(search, fields, path->parent);
    bool atomic = parent && path->parent && yyjson_obj_size(parent) == 0;
    if (!parent || atomic)
        return parent;
    if (effort_spend(lookup_effort(search->lookup), EFFORT_OWNERS, 1))
        return lookup_child(search->lookup, parent, path);
    search->is_cut_short = true;
    return NULL;
}

enum search_answer fields_own(struct lookup *lookup, yyjson_val *fields, const struct path *path)
{
    struct search search = {.lookup = lookup};
    const yyjson_val *node = node_at(&search, fields, path);
    return search.is_cut_short ? ANSWER_UNKNOWN : node ? ANSWER_YES : ANSWER_NO;
}

enum search_answer fields_own_below(struct lookup *lookup, yyjson_val *fields, const struct path *path)
{
    struct search search = {.lookup = lookup};
    yyjson_val *node = node_at(&search, fields, path);
    if (search.is_cut_short)
        return ANSWER_UNKNOWN;
    return yyjson_is_obj(node) && !fields_is_leaf(node) ? ANSWER_YES : ANSWER_NO;
}

#include "policy/fieldset/fields.h"

#include "base/json.h"
#include "policy/fieldset/fields_finder.h"
#include "policy/fieldset/plain_json.h"

struct walk {
    struct arena *arena;
    fields_visit *visit;
    void *context;
};

static bool parse_json_element(struct slice text, struct arena *arena, struct path *element)
{
    struct plain_json plain;
    if (plain_json_read(text, &plain)) {
        size_t bytes = plain.count * sizeof(yyjson_val);
        element->json = arena_allocate(arena, bytes);
        if (element->json)
            memcpy(element->json, plain.values, bytes);
        return element->json;
    }
    yyjson_doc *document = json_read(text, 0, arena, NULL);
    if (!document)
        return false;
    element->json = yyjson_doc_get_root(document);
    return true;
}

bool fields_decode_element(struct slice key, struct arena *arena, struct path *element, bool *known)
{
    *known = true;
    element->json = NULL;
    element->key_names = NULL;
    if (key.length < 2 || key.bytes[1] != ':')
        return false;
    element->text = slice_from(key, 2);
    switch (key.bytes[0]) {
    case 'f':
        element->kind = PATH_FIELD;
        return true;
    case 'k':
        element->kind = PATH_KEY;
        return parse_json_element(element->text, arena, element) && yyjson_is_obj(element->json);
    case 'v':
        element->kind = PATH_VALUE;
        return parse_json_element(element->text, arena, element);
    case 'i':
        element->kind = PATH_INDEX;
        return true;
    default:
        *known = false;
        return false;
    }
}

const char *fields_result_text(enum fields_result result)
{
    switch (result) {
    case FIELDS_MALFORMED:
        return "has a key that is no path element";
    case FIELDS_TOO_DEEP:
        return "is nested too deeply";
    case FIELDS_TOO_MANY:
        return "is one of too many to be compared";
    case FIELDS_OUT_OF_MEMORY:
        return "did not fit into memory";
    default:
        return "was read";
    }
}

bool fields_is_membership(struct slice key)
{
    return key.length == 1 && key.bytes[0] == '.';
}

bool fields_is_leaf(yyjson_val *node)
{
    size_t size = yyjson_obj_size(node);
    return size == 0 || (size == 1 && fields_is_membership(json_text(unsafe_yyjson_get_first(node))));
}

bool fields_stand_for_all(const struct path *path, yyjson_val *node)
{
    return fields_is_leaf(node) || path->kind != PATH_FIELD ||
        (yyjson_obj_getn(node, ".", 1) && yyjson_obj_size(node) > 2);
}

/* The nodes of both sets at one path. */
struct nodes {
    yyjson_val *before;
    yyjson_val *after; /* NULL: there is none */
    /* The first value in `before` that is another in `after`; NULL: not known. */
    const yyjson_val *difference;
};

/* Whether all that is in `before` is in `after`. What is known of the nodes above is not compared again. */
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

static enum fields_result walk_node(struct walk *walk, const struct path *path, const struct nodes *nodes);

static enum fields_result walk_child(
    struct walk *walk, const struct path *parent, struct slice key, const struct nodes *nodes)
{
    struct path element = {.parent = parent, .depth = parent ? parent->depth + 1 : 1};
    bool known;
    if (!fields_decode_element(key, walk->arena, &element, &known))
        return known ? FIELDS_MALFORMED : FIELDS_OK;
    if (!fields_is_leaf(nodes->before))
        return walk_node(walk, &element, nodes);
    return walk->visit(walk->context, &element) ? FIELDS_OK : FIELDS_STOPPED;
}

static enum fields_result walk_node(struct walk *walk, const struct path *path, const struct nodes *nodes)
{
    if (path && path->depth >= JSON_DEPTH_MAX)
        return FIELDS_TOO_DEEP;
    if (!yyjson_is_obj(nodes->before))
        return FIELDS_MALFORMED;
    struct fields_finder finder;
    fields_finder_start(&finder, nodes->after);
    yyjson_obj_iter members;
    yyjson_obj_iter_init(nodes->before, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct fields_key wanted = {.text = json_text(key)};
        if (fields_is_membership(wanted.text))
            continue;
        struct nodes child = {.before = yyjson_obj_iter_get_val(key)};
        enum fields_result result = fields_finder_find(&finder, &wanted, walk->arena, &child.after);
        if (result == FIELDS_OK && !is_kept_whole(&child, nodes))
            result = walk_child(walk, path, wanted.text, &child);
        if (result != FIELDS_OK)
            return result;
    }
    return FIELDS_OK;
}

enum fields_result fields_difference(
    yyjson_val *before, yyjson_val *after, struct arena *arena, fields_visit *visit, void *context)
{
    struct nodes nodes = {before, after, NULL};
    if (!before || json_identical_up_to(before, after, &nodes.difference))
        return FIELDS_OK;
    struct walk walk = {arena, visit, context};
    return walk_node(&walk, NULL, &nodes);
}

yyjson_val *fields_child(yyjson_val *fields, struct slice name)
{
    yyjson_obj_iter members;
    if (!fields || !yyjson_obj_iter_init(fields, &members))
        return NULL;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct slice text = json_text(key);
        if (text.length == name.length + 2 && text.bytes[0] == 'f' && text.bytes[1] == ':' &&
            slice_equal(slice_from(text, 2), name))
            return yyjson_obj_iter_get_val(key);
    }
    return NULL;
}

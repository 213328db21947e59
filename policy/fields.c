#include "policy/fields.h"

#include "policy/fields_finder.h"
#include "policy/json.h"

struct walk {
    struct arena *arena;
    fields_visit *visit;
    void *context;
};

static bool parse_json_element(struct slice text, struct arena *arena, struct path *element)
{
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

static enum fields_result walk_node(
    struct walk *walk, const struct path *path, yyjson_val *before, yyjson_val *after);

static enum fields_result walk_child(
    struct walk *walk, const struct path *parent, struct slice key, yyjson_val *before, yyjson_val *after)
{
    if (after && (fields_is_leaf(before) || json_identical(before, after)))
        return FIELDS_OK;
    struct path element = {.parent = parent, .depth = parent ? parent->depth + 1 : 1};
    bool known;
    if (!fields_decode_element(key, walk->arena, &element, &known))
        return known ? FIELDS_MALFORMED : FIELDS_OK;
    if (!fields_is_leaf(before))
        return walk_node(walk, &element, before, after);
    return walk->visit(walk->context, &element) ? FIELDS_OK : FIELDS_STOPPED;
}

static enum fields_result walk_node(
    struct walk *walk, const struct path *path, yyjson_val *before, yyjson_val *after)
{
    if (path && path->depth >= JSON_DEPTH_MAX)
        return FIELDS_TOO_DEEP;
    if (!yyjson_is_obj(before))
        return FIELDS_MALFORMED;
    struct fields_finder finder;
    fields_finder_start(&finder, after);
    yyjson_obj_iter members;
    yyjson_obj_iter_init(before, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct fields_key wanted = {.text = json_text(key)};
        if (fields_is_membership(wanted.text))
            continue;
        yyjson_val *counterpart;
        enum fields_result result = fields_finder_find(&finder, &wanted, walk->arena, &counterpart);
        if (result == FIELDS_OK)
            result = walk_child(walk, path, wanted.text, yyjson_obj_iter_get_val(key), counterpart);
        if (result != FIELDS_OK)
            return result;
    }
    return FIELDS_OK;
}

enum fields_result fields_difference(
    yyjson_val *before, yyjson_val *after, struct arena *arena, fields_visit *visit, void *context)
{
    if (!before || json_identical(before, after))
        return FIELDS_OK;
    struct walk walk = {arena, visit, context};
    return walk_node(&walk, NULL, before, after);
}

/* The child whose key is `kind`, a colon and the text, in the server's own spelling. */
static yyjson_val *child_by_text(yyjson_val *node, char kind, struct slice text)
{
    yyjson_obj_iter members;
    if (!node || !yyjson_obj_iter_init(node, &members))
        return NULL;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct slice name = json_text(key);
        if (name.length == text.length + 2 && name.bytes[0] == kind && name.bytes[1] == ':' &&
            slice_equal(slice_from(name, 2), text))
            return yyjson_obj_iter_get_val(key);
    }
    return NULL;
}

yyjson_val *fields_child(yyjson_val *fields, struct slice name)
{
    return child_by_text(fields, 'f', name);
}

/* The node at the path; NULL if the set does not reach there. */
static yyjson_val *node_at(yyjson_val *fields, const struct path *path)
{
    static const char kinds[] = {
        [PATH_FIELD] = 'f', [PATH_KEY] = 'k', [PATH_VALUE] = 'v', [PATH_INDEX] = 'i'};
    return path ? child_by_text(node_at(fields, path->parent), kinds[path->kind], path->text) : fields;
}

bool fields_have_children(yyjson_val *fields, const struct path *path)
{
    yyjson_val *node = node_at(fields, path);
    return yyjson_is_obj(node) && !fields_is_leaf(node);
}

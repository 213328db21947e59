#include "policy/fields.h"

#include "policy/json.h"
#include "policy/text.h"

#include <stdio.h>
#include <stdlib.h>

/* A child of a node in canonical form, by which the children of one node can be sorted and found. */
struct indexed_child {
    struct slice canonical;
    yyjson_val *node;
    bool taken; /* found once already */
};

/* The children of one node, in order of their canonical form. */
struct child_index {
    struct indexed_child *children;
    size_t count;
};

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
    case FIELDS_OUT_OF_MEMORY:
        return "did not fit into memory";
    default:
        return "was read";
    }
}

static bool is_membership(struct slice key)
{
    return key.length == 1 && key.bytes[0] == '.';
}

static bool is_leaf(yyjson_val *node)
{
    size_t size = yyjson_obj_size(node);
    return size == 0 || (size == 1 && is_membership(json_text(unsafe_yyjson_get_first(node))));
}

static int compare_children(const void *a, const void *b)
{
    return slice_compare(
        ((const struct indexed_child *)a)->canonical, ((const struct indexed_child *)b)->canonical);
}

static int compare_keys_by_name(const void *a, const void *b)
{
    return slice_compare(json_text(*(yyjson_val *const *)a), json_text(*(yyjson_val *const *)b));
}

/* Whole numbers are the same whether written as 1 or as 1.0. */
static void append_canonical_value(struct text *text, yyjson_val *value, yyjson_alc *allocator)
{
    double number = yyjson_is_real(value) ? yyjson_get_real(value) : 0.5;
    if (number > -1e15 && number < 1e15 && number == (double)(int64_t)number) {
        char digits[32];
        snprintf(digits, sizeof(digits), "%lld", (long long)number);
        text_append_string(text, digits);
        return;
    }
    size_t length = 0;
    char *json = yyjson_val_write_opts(value, 0, allocator, &length, NULL);
    text->failed |= !json;
    text_append(text, (struct slice){json, json ? length : 0});
}

/* k: with its members in order of their names, whatever order and spacing they came in. */
static void append_sorted_keys(struct text *text, yyjson_val *object, yyjson_alc *allocator)
{
    size_t count = yyjson_obj_size(object), i = 0;
    yyjson_val **keys = arena_allocate_array(text->arena, count, sizeof(*keys));
    if (!keys) {
        text->failed = true;
        return;
    }
    yyjson_obj_iter members;
    yyjson_obj_iter_init(object, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));)
        keys[i++] = key;
    qsort(keys, count, sizeof(*keys), compare_keys_by_name);
    for (i = 0; i < count; i++) {
        text_append_json(text, json_text(keys[i]));
        append_canonical_value(text, yyjson_obj_iter_get_val(keys[i]), allocator);
        text_append_string(text, ",");
    }
}

/* Field names and indexes stand for themselves; JSON is parsed and written again in one form. */
static enum fields_result canonical_form(struct slice key, struct arena *arena, struct slice *canonical)
{
    *canonical = key;
    if (key.length < 2 || key.bytes[1] != ':' || (key.bytes[0] != 'k' && key.bytes[0] != 'v'))
        return FIELDS_OK;
    struct path element = {0};
    bool known;
    if (!fields_decode_element(key, arena, &element, &known))
        return FIELDS_MALFORMED;
    struct text text = text_start(arena, key.length * 2);
    text_append(&text, (struct slice){key.bytes, 2});
    yyjson_alc allocator = arena_yyjson(arena);
    if (element.kind == PATH_KEY)
        append_sorted_keys(&text, element.json, &allocator);
    else
        append_canonical_value(&text, element.json, &allocator);
    *canonical = text_slice(&text);
    return canonical->bytes ? FIELDS_OK : FIELDS_OUT_OF_MEMORY;
}

/* Of the children, the first `passed` have been found already. */
static enum fields_result index_children(
    yyjson_val *node, size_t passed, struct arena *arena, struct child_index *index)
{
    index->children = arena_allocate_array(arena, yyjson_obj_size(node), sizeof(*index->children));
    if (!index->children)
        return FIELDS_OUT_OF_MEMORY;
    yyjson_obj_iter members;
    yyjson_obj_iter_init(node, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct indexed_child *child = &index->children[index->count++];
        child->node = yyjson_obj_iter_get_val(key);
        child->taken = index->count <= passed;
        enum fields_result result = canonical_form(json_text(key), arena, &child->canonical);
        if (result == FIELDS_OUT_OF_MEMORY)
            return result;
        if (result == FIELDS_MALFORMED)
            child->canonical = json_text(key);
    }
    qsort(index->children, index->count, sizeof(*index->children), compare_children);
    return FIELDS_OK;
}

/*
 * Finds the children of one node of `after` for the children of the same node of `before`, asked for in
 * order. As long as both sides are in the same order a cursor does; the first miss makes an index.
 */
struct child_finder {
    yyjson_val *node; /* of `after`; NULL: there is none */
    yyjson_obj_iter cursor;
    yyjson_val *next_key;
    size_t passed; /* children that the cursor has found */
    struct child_index index;
};

static void finder_start(struct child_finder *finder, yyjson_val *node)
{
    *finder = (struct child_finder){.node = yyjson_is_obj(node) ? node : NULL};
    if (!finder->node)
        return;
    yyjson_obj_iter_init(node, &finder->cursor);
    finder->next_key = yyjson_obj_iter_next(&finder->cursor);
}

static enum fields_result finder_find(
    struct child_finder *finder, struct slice key, struct arena *arena, yyjson_val **found)
{
    *found = NULL;
    if (!finder->node)
        return FIELDS_OK;
    if (!finder->index.children && finder->next_key && slice_equal(json_text(finder->next_key), key)) {
        *found = yyjson_obj_iter_get_val(finder->next_key);
        finder->passed++;
        finder->next_key = yyjson_obj_iter_next(&finder->cursor);
        return FIELDS_OK;
    }
    if (!finder->index.children) {
        enum fields_result result = index_children(finder->node, finder->passed, arena, &finder->index);
        if (result != FIELDS_OK)
            return result;
    }
    struct indexed_child wanted = {0};
    enum fields_result result = canonical_form(key, arena, &wanted.canonical);
    if (result != FIELDS_OK)
        return result;
    struct indexed_child *child =
        bsearch(&wanted, finder->index.children, finder->index.count, sizeof(wanted), compare_children);
    if (!child)
        return FIELDS_OK;
    if (child->taken)
        return FIELDS_MALFORMED;
    child->taken = true;
    *found = child->node;
    return FIELDS_OK;
}

static enum fields_result walk_node(
    struct walk *walk, const struct path *path, yyjson_val *before, yyjson_val *after);

static enum fields_result walk_child(
    struct walk *walk, const struct path *parent, struct slice key, yyjson_val *before, yyjson_val *after)
{
    if (after && (is_leaf(before) || json_identical(before, after)))
        return FIELDS_OK;
    struct path element = {.parent = parent, .depth = parent ? parent->depth + 1 : 1};
    bool known;
    if (!fields_decode_element(key, walk->arena, &element, &known))
        return known ? FIELDS_MALFORMED : FIELDS_OK;
    if (!is_leaf(before))
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
    struct child_finder finder;
    finder_start(&finder, after);
    yyjson_obj_iter members;
    yyjson_obj_iter_init(before, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct slice text = json_text(key);
        yyjson_val *counterpart;
        enum fields_result result = finder_find(&finder, text, walk->arena, &counterpart);
        if (result == FIELDS_OK && !is_membership(text))
            result = walk_child(walk, path, text, yyjson_obj_iter_get_val(key), counterpart);
        if (result != FIELDS_OK)
            return result;
    }
    return FIELDS_OK;
}

enum fields_result fields_difference(
    yyjson_val *before, yyjson_val *after, struct arena *arena, fields_visit *visit, void *context)
{
    if (!before || (after && json_identical(before, after)))
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
    return yyjson_is_obj(node) && !is_leaf(node);
}

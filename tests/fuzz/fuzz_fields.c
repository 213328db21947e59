/*
 * Whatever two managedFields entries say: their difference is what a plain search finds in the one and not in
 * the other, and with what is kept it is all that was owned. The input is a JSON list of two FieldsV1
 * objects.
 */
#include "base/json.h"
#include "fuzz.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/path.h"

/* The plain search takes a step for each pair of keys. */
#define INPUT_BYTES_MAX 4096

struct difference {
    struct arena *arena;
    yyjson_val *before;
    yyjson_val *after;
    bool is_checked; /* no set says a thing twice: then both searches must agree */
    size_t visited;
};

static bool same_element(const struct path *a, const struct path *b, struct arena *arena)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == PATH_FIELD || a->kind == PATH_INDEX)
        return slice_equal(a->text, b->text);
    return json_equal(a->json, b->json, arena);
}

/* The only child that is the element; NULL if it is absent. */
static yyjson_val *plain_child(yyjson_val *node, const struct path *element, struct arena *arena)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(node);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct path other = {0};
        bool known;
        if (fields_decode_element(json_text(key), arena, &other, &known) &&
            same_element(element, &other, arena))
            return yyjson_obj_iter_get_val(key);
    }
    return NULL;
}

static yyjson_val *plain_find(yyjson_val *fields, const struct path *path, struct arena *arena)
{
    return path ? plain_child(plain_find(fields, path->parent, arena), path, arena) : fields;
}

/* Elements of unknown kinds are not there. */
static bool is_plain_leaf(yyjson_val *node, struct arena *arena)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(node);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct path element = {0};
        bool known;
        if (fields_decode_element(json_text(key), arena, &element, &known))
            return false;
    }
    return yyjson_is_obj(node);
}

static bool visit(void *context, const struct path *path)
{
    struct difference *difference = context;
    difference->visited++;
    yyjson_val *lost = plain_find(difference->before, path, difference->arena);
    promise(!difference->is_checked || is_plain_leaf(lost, difference->arena), "what is lost was owned");
    promise(
        !difference->is_checked || !plain_find(difference->after, path, difference->arena),
        "what is lost is not owned any more");
    struct text text = text_start(difference->arena, 64);
    path_append(&text, path);
    promise(text.length > 0 && text.length <= PATH_BYTES_MAX + 8, "a path prints, within bounds");
    return true;
}

/* Leaves below `before` that are not below `after`. A walk that goes through would have visited as many. */
static size_t count_lost(struct arena *arena, yyjson_val *before, yyjson_val *after)
{
    size_t lost = 0;
    yyjson_obj_iter members = yyjson_obj_iter_with(before);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        yyjson_val *node = yyjson_obj_iter_get_val(key);
        struct path element = {0};
        bool known;
        if (!fields_decode_element(json_text(key), arena, &element, &known))
            continue;
        yyjson_val *counterpart = plain_child(after, &element, arena);
        if (!is_plain_leaf(node, arena))
            lost += count_lost(arena, node, counterpart);
        else
            lost += counterpart == NULL;
    }
    return lost;
}

struct ownership_count {
    const struct difference *difference;
    struct lookup *lookup;
    size_t owned;
    size_t kept;
};

static bool count_owned(void *context, const struct path *path)
{
    struct ownership_count *count = context;
    const struct difference *difference = count->difference;
    promise(
        fieldset_contains(count->lookup, difference->before, path) != ANSWER_NO,
        "what is owned is found to be");
    count->owned++;
    count->kept += plain_find(difference->after, path, difference->arena) != NULL;
    return true;
}

static void check_kept(const struct difference *difference)
{
    struct ownership_count count = {difference, lookup_create(difference->arena), 0, 0};
    promise(count.lookup != NULL, "there is memory");
    promise(
        fields_difference(difference->before, NULL, lookup_create(difference->arena), count_owned, &count) ==
            FIELDS_OK,
        "a well-formed set is walked to its end");
    promise(
        difference->visited + count.kept == count.owned, "what is lost and what is kept is what was owned");
}

/* Whether no other key of the node means the same. */
static bool is_only_key(struct arena *arena, yyjson_val *node, yyjson_val *key)
{
    struct path element = {0};
    bool known;
    yyjson_val *child = yyjson_obj_iter_get_val(key);
    struct slice text = json_text(key);
    if (fields_decode_element(text, arena, &element, &known))
        return plain_child(node, &element, arena) == child;
    return (!known || slice_equal(text, SLICE("."))) &&
        yyjson_obj_getn(node, text.bytes, text.length) == child;
}

/* Whether every key is a path element, or of a kind to be skipped, and no node has one twice. */
static bool is_set(struct arena *arena, yyjson_val *fields, unsigned depth)
{
    if (!yyjson_is_obj(fields) || depth == 0)
        return false;
    yyjson_obj_iter members = yyjson_obj_iter_with(fields);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        if (!is_only_key(arena, fields, key) || !is_set(arena, yyjson_obj_iter_get_val(key), depth - 1))
            return false;
    }
    return true;
}

static void check_difference(struct arena *arena, yyjson_val *before, yyjson_val *after)
{
    struct difference difference = {arena, before, after, false, 0};
    difference.is_checked =
        is_set(arena, before, JSON_DEPTH_MAX) && (!after || is_set(arena, after, JSON_DEPTH_MAX));
    enum fields_result result = fields_difference(before, after, lookup_create(arena), visit, &difference);
    promise(result != FIELDS_OUT_OF_MEMORY && result != FIELDS_STOPPED, "a walk ends by itself");
    promise(!difference.is_checked || result == FIELDS_OK, "a well-formed set is walked to its end");
    if (!difference.is_checked)
        return;
    promise(difference.visited == count_lost(arena, before, after), "all that is lost is found");
    check_kept(&difference);
}

static void check_pair(struct arena *arena, yyjson_val *a, yyjson_val *b)
{
    struct difference none = {arena, a, a, false, 0};
    promise(fields_difference(a, a, lookup_create(arena), visit, &none) == FIELDS_OK, "a set is itself");
    promise(none.visited == 0, "nothing is lost between a set and itself");
    check_difference(arena, a, b);
    check_difference(arena, b, a);
    check_difference(arena, a, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_BYTES_MAX)
        return 0;
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    yyjson_doc *document = json_read((struct slice){(const char *)data, size}, 0, arena, NULL);
    yyjson_val *pair = yyjson_doc_get_root(document);
    yyjson_val *first = yyjson_arr_get(pair, 0), *second = yyjson_arr_get(pair, 1);
    if (first && second)
        check_pair(arena, first, second);
    arena_destroy(arena);
    return 0;
}

#include "policy/declared_lists.h"

#include "policy/json.h"
#include "policy/lookup.h"

struct walk {
    const struct review *review;
    declared_list_visit *visit;
    void *context;
};

/* One value in what is declared and, where they have it, in both objects. */
struct place {
    yyjson_val *declared;
    yyjson_val *before;
    yyjson_val *after;
};

static bool has_known_lists(const struct review *review)
{
    static const char *const kinds[] = {
        "Deployment.apps",
        "StatefulSet.apps",
        "DaemonSet.apps",
        "ReplicaSet.apps",
        "Job.batch",
        "CronJob.batch",
        "Service",
        "ServiceAccount",
        "Pod",
        "PodTemplate",
        "ReplicationController",
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (slice_equal(review->group_kind, slice_of(kinds[i])))
            return true;
    }
    return false;
}

/* The only items of built-in types that hold keyed lists themselves. */
static bool are_containers(struct slice list)
{
    return slice_equal(list, SLICE("containers")) || slice_equal(list, SLICE("initContainers")) ||
        slice_equal(list, SLICE("ephemeralContainers"));
}

static yyjson_val *item_of(const struct walk *walk, yyjson_val *list, const struct path *element)
{
    yyjson_val *item = NULL;
    return lookup_element(walk->review->lookup, list, element, &item) == LOOKUP_FOUND ? item : NULL;
}

static void walk_members(const struct walk *walk, const struct path *parent, const struct place *place);

static void walk_items(
    const struct walk *walk, const struct path *list, const struct list_type *type, const struct place *place)
{
    yyjson_arr_iter items;
    yyjson_arr_iter_init(place->declared, &items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        const struct path element = {
            .parent = list,
            .depth = list->depth + 1,
            .kind = PATH_KEY,
            .json = item,
            .key_names = &type->keys,
        };
        if (!yyjson_is_obj(item))
            continue;
        const struct place below = {
            item,
            place->before ? item_of(walk, place->before, &element) : NULL,
            place->after ? item_of(walk, place->after, &element) : NULL,
        };
        walk_members(walk, &element, &below);
    }
}

static void walk_list(const struct walk *walk, const struct path *path, const struct place *place)
{
    struct slice merge_key;
    struct list_type type = list_type_builtin(walk->review->group, path, &merge_key);
    if (type.kind != LIST_KEYED)
        return;
    const struct declared_list list = {
        path,
        &type,
        merge_key,
        place->declared,
        yyjson_is_arr(place->before) ? place->before : NULL,
        yyjson_is_arr(place->after) ? place->after : NULL,
    };
    walk->visit(walk->context, &list);
    if (are_containers(path->text))
        walk_items(walk, path, &type, place);
}

static void walk_members(const struct walk *walk, const struct path *parent, const struct place *place)
{
    struct lookup *lookup = walk->review->lookup;
    unsigned depth = parent ? parent->depth + 1 : 1;
    yyjson_obj_iter members;
    yyjson_obj_iter_init(place->declared, &members);
    for (yyjson_val *key; depth < JSON_DEPTH_MAX && (key = yyjson_obj_iter_next(&members));) {
        yyjson_val *declared = yyjson_obj_iter_get_val(key);
        if (!yyjson_is_ctn(declared))
            continue;
        struct slice name = json_text(key);
        const struct path path = {.parent = parent, .depth = depth, .kind = PATH_FIELD, .text = name};
        const struct place below = {
            declared, lookup_member(lookup, place->before, name), lookup_member(lookup, place->after, name)};
        if (yyjson_is_arr(declared))
            walk_list(walk, &path, &below);
        else
            walk_members(walk, &path, &below);
    }
}

void declared_lists_visit(
    const struct review *review, yyjson_val *configuration, yyjson_val *old_object, yyjson_val *object,
    declared_list_visit *visit, void *context)
{
    if (!configuration || !has_known_lists(review))
        return;
    const struct walk walk = {review, visit, context};
    const struct place root = {configuration, old_object, object};
    walk_members(&walk, NULL, &root);
}

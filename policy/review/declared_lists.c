#include "policy/review/declared_lists.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/lookup.h"

struct list_walk {
    const struct review *review;
    const struct declared_list_places *places;
    declared_list_visit *visit;
    void *context;
};

/* One value in what is declared and, where they have it, in both objects: there it is looked up only where a
 * list is declared there or below. */
struct declared_node {
    struct declared_node *parent;
    const struct path *path;
    yyjson_val *declared;
    bool is_found; /* whether the others stand */
    yyjson_val *before;
    yyjson_val *after;
    bool is_absent_after;
};

static bool has_known_lists(const struct review *review)
{
    static const char *const kinds[] = {
        "Job.batch",   "CronJob.batch",         "Service", "ServiceAccount", "Pod",
        "PodTemplate", "ReplicationController",
    };
    return slice_is_one_of(review->group_kind, kinds, ARRAY_SIZE(kinds)) || review_is_of_workload(review);
}

/* The only items of built-in types that hold keyed lists themselves. */
static bool are_containers(struct slice list)
{
    return slice_equal(list, SLICE("containers")) || slice_equal(list, SLICE("initContainers")) ||
        slice_equal(list, SLICE("ephemeralContainers"));
}

static enum lookup_result find_child(
    const struct list_walk *walk, yyjson_val *parent, const struct path *element, yyjson_val **child)
{
    enum lookup_result result = lookup_element(walk->review->lookup, parent, element, child);
    if (result != LOOKUP_FOUND)
        *child = NULL;
    return result;
}

static void find(const struct list_walk *walk, struct declared_node *node)
{
    if (node->is_found)
        return;
    find(walk, node->parent);
    find_child(walk, node->parent->before, node->path, &node->before);
    enum lookup_result after = find_child(walk, node->parent->after, node->path, &node->after);
    node->is_absent_after = after == LOOKUP_ABSENT && node->parent->after;
    node->is_found = true;
}

static void walk_members(const struct list_walk *walk, struct declared_node *node);

static void walk_items(const struct list_walk *walk, const struct list_type *type, struct declared_node *node)
{
    const struct path *list = node->path;
    json_each_item(item, node->declared) {
        if (!yyjson_is_obj(item))
            continue;
        struct path element = path_below(list);
        element.kind = PATH_KEY;
        element.json = item;
        element.key_names = &type->keys;
        struct declared_node below = {.parent = node, .path = &element, .declared = item};
        walk_members(walk, &below);
    }
}

static void walk_list(const struct list_walk *walk, struct declared_node *node)
{
    struct slice merge_key;
    struct list_type type = list_type_builtin(walk->review->group, node->path, &merge_key);
    if (type.kind != LIST_KEYED)
        return;
    if (type.keys.count > 1 || walk->places->all)
        find(walk, node);
    const struct declared_list list = {
        node->path,
        &type,
        merge_key,
        node->declared,
        yyjson_is_arr(node->before) ? node->before : NULL,
        yyjson_is_arr(node->after) ? node->after : NULL,
        node->is_absent_after,
    };
    walk->visit(walk->context, &list);
    if (are_containers(node->path->text))
        walk_items(walk, &type, node);
}

static void walk_members(const struct list_walk *walk, struct declared_node *node)
{
    if (node->path && node->path->depth + 1 >= JSON_DEPTH_MAX)
        return;
    json_each_key(key, node->declared) {
        yyjson_val *declared = yyjson_obj_iter_get_val(key);
        if (!yyjson_is_ctn(declared))
            continue;
        const struct path path = path_member(node->path, json_text(key));
        struct declared_node below = {.parent = node, .path = &path, .declared = declared};
        if (yyjson_is_arr(declared))
            walk_list(walk, &below);
        else
            walk_members(walk, &below);
    }
}

void declared_lists_visit(
    const struct review *review, yyjson_val *configuration, const struct declared_list_places *places,
    declared_list_visit *visit, void *context)
{
    if (!configuration || !has_known_lists(review))
        return;
    const struct list_walk walk = {review, places, visit, context};
    struct declared_node root = {
        .declared = configuration, .is_found = true, .before = places->before, .after = places->after};
    walk_members(&walk, &root);
}

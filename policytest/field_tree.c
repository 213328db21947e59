#include "policytest/field_tree.h"

#include "base/text.h"
#include "check/declared_fields.h"
#include "manifest/write.h"
#include "policy/review/list_types.h"

#include <stdlib.h>

/*
 * Trees
 */

/* A tree that grows in the order of its keys. */
struct growing {
    struct manifest_node *node;
    struct manifest_member *members;
};

static bool grow_start(struct growing *growing, size_t capacity, struct arena *arena)
{
    growing->node = arena_allocate_array(arena, 1, sizeof(*growing->node));
    growing->members = arena_allocate_array(arena, capacity + 1, sizeof(*growing->members));
    if (!growing->node || !growing->members)
        return false;
    growing->node->kind = MANIFEST_MAP;
    growing->node->members = growing->members;
    return true;
}

/* `value` may be NULL: there was no memory for it, which the arena knows. */
static void grow(struct growing *growing, struct slice key, const struct manifest_node *value)
{
    if (value)
        growing->members[growing->node->count++] = (struct manifest_member){.key = key, .value = value};
}

static const struct manifest_node *empty_tree(struct arena *arena)
{
    struct growing growing;
    return grow_start(&growing, 0, arena) ? growing.node : NULL;
}

/*
 * Objects
 */

/* What is below a map or list, in the order of its keys. */
struct child {
    struct slice key; /* f:NAME */
    const struct manifest_node *value;
    struct path element;
    const struct slice_list *key_names; /* of an item of a keyed list */
};

struct children {
    struct child *items;
    size_t count;
    struct slice_list key_names; /* of a keyed list */
};

static struct slice with_prefix(const char *prefix, struct slice name, struct arena *arena)
{
    struct text key = text_start(arena, name.length + 2);
    text_append_string(&key, prefix);
    text_append(&key, name);
    return text_slice(&key);
}

static bool find_members(
    const struct field_trees *trees, const struct manifest_node *map, const struct path *path,
    struct children *children)
{
    children->items = arena_allocate_array(trees->arena, map->count, sizeof(*children->items));
    for (size_t i = 0; children->items && i < map->count; i++) {
        struct slice name = map->members[i].key;
        if (declared_fields_is_unowned(path, name))
            continue;
        children->items[children->count++] = (struct child){
            .key = with_prefix("f:", name, trees->arena),
            .value = map->members[i].value,
            .element =
                {.parent = path, .depth = path ? path->depth + 1 : 1, .kind = PATH_FIELD, .text = name},
        };
    }
    return true;
}

static int compare_children(const void *a, const void *b)
{
    return slice_compare(((const struct child *)a)->key, ((const struct child *)b)->key);
}

/* Of items with the same key the first one counts: the API server keeps such lists, and knows no more. */
static void sort_items(struct children *children)
{
    size_t kept = 0;
    if (children->count)
        qsort(children->items, children->count, sizeof(*children->items), compare_children);
    for (size_t i = 0; i < children->count; i++)
        if (!kept || !slice_equal(children->items[kept - 1].key, children->items[i].key))
            children->items[kept++] = children->items[i];
    children->count = kept;
}

/* False if the list is one field as a whole. */
static bool find_items(
    const struct field_trees *trees, const struct manifest_node *list, const struct path *path,
    struct children *children)
{
    struct slice merge_key;
    struct list_type type = {0};
    if (path && path->kind == PATH_FIELD)
        type = list_type_builtin(trees->group, path, &merge_key);
    if (type.kind != LIST_KEYED && type.kind != LIST_SET)
        return false;
    children->key_names = type.keys;
    children->items = arena_allocate_array(trees->arena, list->count, sizeof(*children->items));
    for (size_t i = 0; children->items && i < list->count; i++) {
        const struct manifest_node *item = list->items[i];
        if (type.kind == LIST_KEYED && item->kind != MANIFEST_MAP)
            continue;
        children->items[children->count++] = (struct child){
            .key = type.kind == LIST_KEYED
                ? declared_fields_item_key(item, &type.keys, trees->arena)
                : with_prefix("v:", manifest_json(item, trees->arena), trees->arena),
            .value = item,
            .element =
                {.parent = path,
                 .depth = path->depth + 1,
                 .kind = type.kind == LIST_KEYED ? PATH_KEY : PATH_VALUE},
        };
    }
    sort_items(children);
    return true;
}

/* False if the node is one field as a whole: a scalar, an empty or an atomic container. */
static bool find_children(
    const struct field_trees *trees, const struct manifest_node *node, const struct path *path,
    struct children *children)
{
    *children = (struct children){0};
    if (node->kind == MANIFEST_MAP && path && path->kind == PATH_VALUE)
        return false;
    if (node->kind == MANIFEST_MAP && (node->count || !path))
        return !declared_fields_is_atomic(trees->group, path) && find_members(trees, node, path, children);
    if (node->kind == MANIFEST_LIST && node->count)
        return find_items(trees, node, path, children);
    return false;
}

/*
 * The fields of an object
 */

struct selection {
    const struct field_trees *trees;
    const struct printed_paths *only;
    const struct printed_paths *except;
    struct text path; /* printed, of the node that is looked at */
};

/* As path_append_element does, for items whose keys are not JSON of a review. */
static void append_element(
    struct selection *selection, const struct child *child, const struct slice_list *keys)
{
    struct text *text = &selection->path;
    if (child->element.kind == PATH_FIELD) {
        path_append_element(text, &child->element);
        return;
    }
    if (child->element.kind == PATH_VALUE) {
        text_append_string(text, "[=");
        text_append(text, slice_from(child->key, 2));
    }
    for (size_t i = 0; child->element.kind == PATH_KEY && i < keys->count; i++) {
        text_append_string(text, i ? "," : "[");
        text_append(text, keys->items[i]);
        text_append_string(text, "=");
        declared_fields_append_key(text, child->value, keys->items[i]);
    }
    text_append_string(text, "]");
}

static bool is_selected(const struct selection *selection)
{
    struct slice printed = text_slice(&selection->path);
    return (!selection->only || printed_paths_cover(selection->only, printed)) &&
        (!selection->except || !printed_paths_cover(selection->except, printed));
}

/* NULL: nothing is selected, or there is no memory, which the arena knows. */
static const struct manifest_node *select_fields(
    struct selection *selection, const struct manifest_node *node, const struct path *path)
{
    struct arena *arena = selection->trees->arena;
    struct children children;
    struct growing growing;
    size_t length = selection->path.length;
    if (!find_children(selection->trees, node, path, &children))
        return is_selected(selection) ? empty_tree(arena) : NULL;
    if (!grow_start(&growing, children.count + 1, arena))
        return NULL;
    if (path && path->kind == PATH_KEY)
        grow(&growing, SLICE("."), empty_tree(arena));
    size_t own = growing.node->count;
    for (size_t i = 0; i < children.count; i++) {
        const struct child *child = &children.items[i];
        append_element(selection, child, &children.key_names);
        const struct manifest_node *below = select_fields(selection, child->value, &child->element);
        selection->path.length = length;
        if (below)
            grow(&growing, child->key, below);
    }
    return growing.node->count > own ? growing.node : NULL;
}

/* All fields of what is at the path. */
static const struct manifest_node *fields_below(
    const struct field_trees *trees, const struct manifest_node *node, const struct path *path)
{
    struct selection all = {.trees = trees, .path = text_start(trees->arena, 256)};
    const struct manifest_node *tree = select_fields(&all, node, path);
    return tree ? tree : empty_tree(trees->arena);
}

const struct manifest_node *field_tree_of(
    const struct field_trees *trees, const struct manifest_node *object, const struct printed_paths *only,
    const struct printed_paths *except)
{
    struct selection selection = {trees, only, except, text_start(trees->arena, 256)};
    const struct manifest_node *tree = select_fields(&selection, object, NULL);
    if (arena_has_failed(trees->arena))
        return NULL;
    return tree ? tree : empty_tree(trees->arena);
}

/*
 * Two objects
 */

static bool is_equal(const struct manifest_node *a, const struct manifest_node *b, struct arena *arena)
{
    return a == b || slice_equal(manifest_json(a, arena), manifest_json(b, arena));
}

/* NULL in a change: nothing. */
static void compare(
    const struct field_trees *trees, const struct child *before, const struct child *after,
    struct field_changes *changes);

/* One of the two may be NULL: it is not there. */
static void compare_child(
    const struct field_trees *trees, const struct child *before, const struct child *after,
    struct growing *set, struct growing *removed)
{
    struct field_changes below = {NULL, NULL};
    if (!before)
        below.set = fields_below(trees, after->value, &after->element);
    else if (!after)
        below.removed = empty_tree(trees->arena);
    else
        compare(trees, before, after, &below);
    if (below.set)
        grow(set, after->key, below.set);
    if (below.removed)
        grow(removed, before->key, below.removed);
}

static void compare_children_of(
    const struct field_trees *trees, const struct children *before, const struct children *after,
    struct field_changes *changes)
{
    struct growing set, removed;
    if (!grow_start(&set, after->count, trees->arena) || !grow_start(&removed, before->count, trees->arena))
        return;
    for (size_t i = 0, j = 0; i < before->count || j < after->count;) {
        int order = i == before->count ? 1
            : j == after->count        ? -1
                                       : slice_compare(before->items[i].key, after->items[j].key);
        const struct child *old = order <= 0 ? &before->items[i++] : NULL;
        const struct child *new = order >= 0 ? &after->items[j++] : NULL;
        compare_child(trees, old, new, &set, &removed);
    }
    changes->set = set.node->count ? set.node : NULL;
    changes->removed = removed.node->count ? removed.node : NULL;
}

static void compare(
    const struct field_trees *trees, const struct child *before, const struct child *after,
    struct field_changes *changes)
{
    const struct path *path = after->element.depth ? &after->element : NULL;
    struct children old, new;
    bool is_old_deep = find_children(trees, before->value, path, &old);
    bool is_new_deep = find_children(trees, after->value, path, &new);
    if (is_old_deep && is_new_deep)
        compare_children_of(trees, &old, &new, changes);
    else if (!is_equal(before->value, after->value, trees->arena))
        changes->set = fields_below(trees, after->value, path);
}

bool field_tree_compare(
    const struct field_trees *trees, const struct manifest_node *before, const struct manifest_node *after,
    struct field_changes *changes)
{
    *changes = (struct field_changes){NULL, NULL};
    compare(trees, &(struct child){.value = before}, &(struct child){.value = after}, changes);
    if (!changes->set)
        changes->set = empty_tree(trees->arena);
    if (!changes->removed)
        changes->removed = empty_tree(trees->arena);
    return !arena_has_failed(trees->arena);
}

/*
 * Two trees
 */

bool field_tree_is_valid(const struct manifest_node *tree)
{
    if (tree->kind != MANIFEST_MAP)
        return false;
    for (size_t i = 0; i < tree->count; i++)
        if (!field_tree_is_valid(tree->members[i].value))
            return false;
    return true;
}

const struct manifest_node *field_tree_union(
    const struct field_trees *trees, const struct manifest_node *a, const struct manifest_node *b)
{
    struct growing growing;
    if (!a || !b || !grow_start(&growing, a->count + b->count, trees->arena))
        return NULL;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        int order = i == a->count ? 1
            : j == b->count       ? -1
                                  : slice_compare(a->members[i].key, b->members[j].key);
        const struct manifest_member *left = order <= 0 ? &a->members[i++] : NULL;
        const struct manifest_member *right = order >= 0 ? &b->members[j++] : NULL;
        const struct manifest_node *value = order > 0 ? right->value
            : order < 0                               ? left->value
                                                      : field_tree_union(trees, left->value, right->value);
        grow(&growing, order > 0 ? right->key : left->key, value);
    }
    return growing.node;
}

const struct manifest_node *field_tree_without(
    const struct field_trees *trees, const struct manifest_node *a, const struct manifest_node *b)
{
    struct growing growing;
    if (!a || !b || !grow_start(&growing, a->count, trees->arena))
        return NULL;
    for (size_t i = 0; i < a->count; i++) {
        const struct manifest_member *member = &a->members[i];
        const struct manifest_node *taken = manifest_member(b, member->key);
        bool is_whole = !taken || (taken->count && !member->value->count);
        if (is_whole) { /* what is below a field is not the field itself */
            grow(&growing, member->key, member->value);
        } else if (taken->count) {
            const struct manifest_node *rest = field_tree_without(trees, member->value, taken);
            if (rest && rest->count)
                grow(&growing, member->key, rest);
        }
    }
    return growing.node;
}

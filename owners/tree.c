#include "owners/tree.h"

#include "apply/merge/server_side.h"
#include "base/json.h"
#include "base/json_append.h"
#include "base/json_each.h"
#include "manifest/secrets.h"
#include "policy/fieldset/fields.h"
#include "policy/review/review.h"

#include <stdlib.h>

/* An entry's fields inside one child. */
struct found_holder {
    size_t position;
    size_t order; /* the order in which it was found: that of the entries */
    const struct managed_fields_entry *entry;
    yyjson_val *fields;
    struct path element;
};

struct found_holders {
    struct found_holder *items;
    size_t count;
    size_t capacity;
};

static int out_of_memory(const struct tree_build *build)
{
    return error_set_out_of_memory(build->error);
}

/*
 * The children of a value
 */

static bool is_hidden_member(const struct blame *blame, const struct blame_node *parent, struct slice name)
{
    bool is_top = !parent->parent, is_below_top = parent->parent && !parent->parent->parent;
    return blame->is_secret && (is_top || is_below_top) &&
        secrets_hide_member(is_top ? (struct slice){NULL, 0} : parent->name, name);
}

/* Whether the node is a map whose keys are printed, but not its values. */
static bool is_map_of_secrets(const struct blame *blame, const struct blame_node *node)
{
    return node->parent && yyjson_is_obj(node->value) && is_hidden_member(blame, node->parent, node->name);
}

static void set_child(const struct blame *blame, struct blame_node *child)
{
    const struct blame_node *parent = child->parent;
    struct slice name = child->name;
    child->path = (struct path){
        .parent = blame_path(parent),
        .depth = parent->parent ? parent->path.depth + 1 : 1,
        .kind = PATH_FIELD,
        .text = name};
    child->is_hidden = is_map_of_secrets(blame, parent) ||
        (!child->is_item && is_hidden_member(blame, parent, name) && !yyjson_is_obj(child->value));
    child->marks.is_tracked =
        parent->marks.is_tracked && (child->is_item || !field_is_untracked(child->path.parent, name));
}

/* managedFields is the source of the owners, and not a field to show. */
static bool is_left_out(const struct blame_node *parent, struct slice name)
{
    return parent->parent && !parent->parent->parent && slice_equal(parent->name, SLICE("metadata")) &&
        slice_equal(name, SLICE("managedFields"));
}

static int make_children(const struct tree_build *build, struct blame_node *node)
{
    yyjson_val *value = node->value;
    size_t count = unsafe_yyjson_get_len(value);
    node->children = arena_allocate_array(build->blame->arena, count, sizeof(*node->children));
    if (!node->children)
        return out_of_memory(build);
    yyjson_val *at = unsafe_yyjson_get_first(value);
    for (size_t i = 0; i < count; i++) {
        struct blame_node *child = &node->children[node->child_count];
        *child = (struct blame_node){.parent = node, .is_item = yyjson_is_arr(value)};
        if (!child->is_item) {
            child->name = json_text(at);
            at = unsafe_yyjson_get_next(at);
        }
        child->value = at;
        at = unsafe_yyjson_get_next(at);
        if (child->is_item || !is_left_out(node, child->name)) {
            set_child(build->blame, child);
            node->child_count++;
        }
    }
    return 0;
}

/*
 * Owners
 */

static int note_absent(
    const struct tree_build *build, const struct blame_node *node, const struct managed_fields_entry *entry,
    const struct path *element)
{
    struct blame *blame = build->blame;
    struct path path = {.parent = blame_path(node), .depth = node->parent ? node->path.depth + 1 : 1};
    struct text text = text_start(blame->arena, 64);
    struct blame_absent *absent = arena_allocate(blame->arena, sizeof(*absent));
    if (element && !(blame->is_secret && element->kind != PATH_FIELD)) {
        path.kind = element->kind;
        path.text = element->text;
        path.json = element->json;
        path_append(&text, &path);
    } else {
        path_append(&text, blame_path(node));
    }
    if (!absent)
        return out_of_memory(build);
    *absent = (struct blame_absent){blame->absent, entry, text_slice(&text)};
    blame->absent = absent;
    return 0;
}

static int add_found(
    struct tree_build *build, struct found_holders *found, const struct positions *positions,
    const struct found_holder *holder)
{
    if (positions->count > build->holders_max - build->holders)
        return error_set(build->error, "its fields have more owners than can be listed");
    build->holders += positions->count;
    while (found->capacity - found->count < positions->count) {
        size_t capacity = found->capacity ? found->capacity * 2 : 64;
        struct found_holder *items = realloc(found->items, capacity * sizeof(*items));
        if (!items)
            return out_of_memory(build);
        found->items = items;
        found->capacity = capacity;
    }
    for (size_t i = 0; i < positions->count; i++) {
        struct found_holder *item = &found->items[found->count];
        *item = *holder;
        item->position = positions->items[i];
        item->order = found->count++;
    }
    return 0;
}

static int malformed(const struct tree_build *build, const struct managed_fields_entry *entry)
{
    struct slice manager = text_cut(text_printable(build->blame->arena, entry->manager.name), 100);
    return error_set(
        build->error, "the managedFields entry of %.*s has a key that is not a path element",
        (int)manager.length, manager.bytes ? manager.bytes : "");
}

static int find_held(
    struct tree_build *build, const struct blame_node *node, struct item_search *search,
    const struct blame_holder *holder, struct found_holders *found)
{
    json_each_key(key, holder->fields) {
        struct found_holder each = {.entry = holder->entry, .fields = yyjson_obj_iter_get_val(key)};
        struct positions positions;
        bool is_known;
        if (fields_is_membership(json_text(key)))
            continue;
        if (!fields_decode_element(json_text(key), build->blame->arena, &each.element, &is_known)) {
            if (is_known)
                return malformed(build, holder->entry);
            continue;
        }
        if (!yyjson_is_obj(each.fields))
            return malformed(build, holder->entry);
        if (item_search_find(search, &each.element, &positions, build->error) < 0 ||
            add_found(build, found, &positions, &each) < 0 ||
            (!positions.count && note_absent(build, node, holder->entry, &each.element) < 0))
            return -1;
    }
    return 0;
}

static int compare_found(const void *a, const void *b)
{
    const struct found_holder *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static bool has_membership(yyjson_val *fields)
{
    return yyjson_obj_getn(fields, ".", 1) != NULL;
}

static void add_holder(struct blame_node *child, const struct found_holder *found)
{
    bool is_leaf = fields_is_leaf(found->fields);
    child->holders[child->holder_count++] = (struct blame_holder){
        .entry = found->entry,
        .fields = found->fields,
        .is_leaf = is_leaf,
        .is_owner = is_leaf || child->is_hidden || has_membership(found->fields),
    };
    /* All entries that an API server wrote name an item in the same way. */
    if (child->is_item && child->holder_count == 1) {
        child->path.kind = found->element.kind;
        child->path.text = found->element.text;
        child->path.json = found->element.json;
    }
}

static int hand_out(struct tree_build *build, struct blame_node *node, struct found_holders *found)
{
    struct blame_holder *holders = arena_allocate_array(build->blame->arena, found->count, sizeof(*holders));
    if (!holders && found->count)
        return out_of_memory(build);
    qsort(found->items, found->count, sizeof(*found->items), compare_found);
    for (size_t i = 0; i < found->count; i++) {
        struct blame_node *child = &node->children[found->items[i].position];
        if (!child->holders)
            child->holders = &holders[i];
        add_holder(child, &found->items[i]);
    }
    return 0;
}

static int find_holders(struct tree_build *build, struct blame_node *node)
{
    struct found_holders found = {0};
    struct item_search *search = item_search_create(node, build->blame->arena);
    int result = search ? 0 : out_of_memory(build);
    for (size_t i = 0; i < node->holder_count && result == 0; i++)
        if (!node->holders[i].is_leaf)
            result = find_held(build, node, search, &node->holders[i], &found);
    if (result == 0 && found.count)
        result = hand_out(build, node, &found);
    free(found.items);
    return result;
}

/*
 * Items without an owner
 */

/* The keys of an item as JSON, such as {"name":"x"}: paths use it to distinguish items. */
static struct slice key_text(yyjson_val *item, const struct slice_list *names, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    const char *separator = "{";
    for (size_t i = 0; i < names->count; i++) {
        yyjson_val *value = json_member(item, names->items[i]);
        if (!value || yyjson_is_ctn(value))
            continue;
        text_append_all(&text, separator, as_json(names->items[i]), ":");
        json_append_value(&text, value);
        separator = ",";
    }
    text_append_string(&text, *separator == '{' ? "" : "}");
    return text_slice(&text);
}

static void name_by_position(struct blame_node *item, size_t position, struct arena *arena)
{
    item->path.kind = PATH_INDEX;
    item->path.text = text_join(arena, position);
}

/* Names an item as the API server would, as far as possible. */
static void name_item(
    struct blame_node *item, size_t position, const struct list_type *type, struct arena *arena)
{
    if (type->kind == LIST_SET && !yyjson_is_ctn(item->value)) {
        item->path.kind = PATH_VALUE;
        item->path.json = item->value;
        item->path.text = json_write(item->value, arena);
        return;
    }
    struct slice text = {NULL, 0};
    if (type->kind == LIST_KEYED && yyjson_is_obj(item->value))
        text = key_text(item->value, &type->keys, arena);
    yyjson_val *keys = json_parse(text, arena);
    if (!keys) {
        name_by_position(item, position, arena);
        return;
    }
    item->path.kind = PATH_KEY;
    item->path.text = text;
    item->path.json = keys;
}

static void name_items(const struct tree_build *build, struct blame_node *node)
{
    struct list_type type = {.kind = LIST_UNKNOWN};
    bool is_asked = false;
    for (size_t i = 0; i < node->child_count; i++) {
        struct blame_node *item = &node->children[i];
        if (item->holder_count)
            continue;
        if (!is_asked && node->parent)
            type = list_type_at(build->blame->review, &node->path);
        is_asked = true;
        name_item(item, i, &type, build->blame->arena);
    }
}

/*
 * Fields
 */

static bool has_owner_below(const struct blame_node *node)
{
    for (size_t i = 0; i < node->holder_count; i++)
        if (!node->holders[i].is_leaf)
            return true;
    return false;
}

/*
 * Structs that people leave empty, so that the API server fills them in: {} in FieldsV1 means only that they
 * were there. Other nodes without owners inside them are owned as a whole.
 */
static bool is_filled_by_server(const struct blame_node *node)
{
    return !node->is_item && yyjson_is_obj(node->value) &&
        (slice_equal(node->name, SLICE("strategy")) || slice_equal(node->name, SLICE("updateStrategy")) ||
         slice_equal(node->name, SLICE("rollingUpdate")));
}

/*
 * If no manager owns any part of a value, a map is split into its fields, and a list only if its items have
 * names.
 */
static bool is_unowned_whole(const struct tree_build *build, const struct blame_node *node)
{
    if (!yyjson_is_arr(node->value))
        return false;
    enum list_kind kind = list_type_at(build->blame->review, &node->path).kind;
    return kind != LIST_KEYED && kind != LIST_SET;
}

/* Whether the node and all its content are one field. */
static bool is_whole(const struct tree_build *build, const struct blame_node *node)
{
    if (!node->parent)
        return false;
    if (!yyjson_is_ctn(node->value) || !unsafe_yyjson_get_len(node->value) || node->is_hidden ||
        !node->marks.is_tracked)
        return true;
    if (has_owner_below(node))
        return false;
    return node->holder_count ? !is_filled_by_server(node) : is_unowned_whole(build, node);
}

/* Notes fields that entries own inside a value that is neither a list nor a map. */
static int note_below(const struct tree_build *build, const struct blame_node *node)
{
    for (size_t i = 0; i < node->holder_count; i++)
        if (!node->holders[i].is_leaf && note_absent(build, node, node->holders[i].entry, NULL) < 0)
            return -1;
    return 0;
}

/*
 * Whether an entry owns the map itself, without anything in it. Such a map is printed, even if others own
 * parts of it.
 */
static bool is_held_bare(const struct blame_node *node)
{
    for (size_t i = 0; i < node->holder_count; i++)
        if (node->holders[i].is_leaf)
            return true;
    return false;
}

static int grow(struct tree_build *build, struct blame_node *node)
{
    bool whole = node->is_inside || is_whole(build, node);
    bool is_item = node->is_item && !node->is_inside;
    node->is_field = !node->is_inside && (whole || is_item || is_held_bare(node));
    build->blame->field_count += node->is_field;
    if (whole && !node->is_inside && !node->is_hidden && note_below(build, node) < 0)
        return -1;
    if (node->is_hidden || !yyjson_is_ctn(node->value) || !unsafe_yyjson_get_len(node->value))
        return 0;
    if (make_children(build, node) < 0 || (!whole && find_holders(build, node) < 0))
        return -1;
    for (size_t i = 0; i < node->child_count; i++)
        node->children[i].is_inside = whole;
    if (yyjson_is_arr(node->value) && !whole)
        name_items(build, node);
    for (size_t i = 0; i < node->child_count; i++)
        if (grow(build, &node->children[i]) < 0)
            return -1;
    return 0;
}

int tree_grow(struct tree_build *build)
{
    return grow(build, &build->blame->root);
}

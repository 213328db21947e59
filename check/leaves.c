#include "check/leaves.h"

#include "base/text.h"
#include "check/declared_fields.h"
#include "check/kinds.h"
#include "policy/review/list_types.h"

struct collection {
    struct arena *arena;
    struct slice group;
    struct slice *items;
    size_t count;
    size_t capacity;
    struct text path; /* of the node that is looked at */
};

static void keep(struct collection *leaves)
{
    if (leaves->count == leaves->capacity) {
        size_t capacity = leaves->capacity ? leaves->capacity * 2 : 32;
        struct slice *items = arena_allocate_array(leaves->arena, capacity, sizeof(*items));
        if (!items)
            return;
        if (leaves->count)
            memcpy(items, leaves->items, leaves->count * sizeof(*items));
        leaves->items = items;
        leaves->capacity = capacity;
    }
    leaves->items[leaves->count++] = arena_copy(leaves->arena, text_slice(&leaves->path));
}

static void collect(struct collection *leaves, const struct manifest_node *node, const struct path *path);

static bool is_key(const struct slice_list *keys, struct slice name)
{
    for (size_t i = 0; keys && i < keys->count; i++)
        if (slice_equal(keys->items[i], name))
            return true;
    return false;
}

/* `keys`: of the list that the map is an item of; NULL: it is none. */
static void collect_members(
    struct collection *leaves, const struct manifest_node *map, const struct path *path,
    const struct slice_list *keys)
{
    size_t length = leaves->path.length;
    for (size_t i = 0; i < map->count; i++) {
        const struct path member = {
            .parent = path,
            .depth = path ? path->depth + 1 : 1,
            .kind = PATH_FIELD,
            .text = map->members[i].key};
        if (declared_fields_is_unowned(path, member.text) || is_key(keys, member.text))
            continue;
        path_append_element(&leaves->path, &member);
        collect(leaves, map->members[i].value, &member);
        leaves->path.length = length;
    }
}

/* [name="nginx"] */
static void append_keys(struct text *text, const struct manifest_node *item, const struct slice_list *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        text_append_string(text, i ? "," : "[");
        text_append(text, keys->items[i]);
        text_append_string(text, "=");
        declared_fields_append_key(text, item, keys->items[i]);
    }
    text_append_string(text, "]");
}

static void collect_items(
    struct collection *leaves, const struct manifest_node *list, const struct path *path,
    const struct list_type *type)
{
    size_t length = leaves->path.length;
    for (size_t i = 0; i < list->count; i++) {
        const struct manifest_node *item = list->items[i];
        const struct path element = {.parent = path, .depth = path->depth + 1, .kind = PATH_KEY};
        if (type->kind == LIST_KEYED && item->kind == MANIFEST_MAP) {
            append_keys(&leaves->path, item, &type->keys);
            collect_members(leaves, item, &element, &type->keys);
        } else {
            text_append_string(&leaves->path, "[=");
            manifest_append_json(&leaves->path, item);
            text_append_string(&leaves->path, "]");
            keep(leaves);
        }
        leaves->path.length = length;
    }
}

static void collect(struct collection *leaves, const struct manifest_node *node, const struct path *path)
{
    struct slice merge_key;
    struct list_type type = {0};
    if (node->kind == MANIFEST_LIST && path && path->kind == PATH_FIELD)
        type = list_type_builtin(leaves->group, path, &merge_key);
    if (node->kind == MANIFEST_MAP && node->count && !declared_fields_is_atomic(leaves->group, path))
        collect_members(leaves, node, path, NULL);
    else if ((type.kind == LIST_KEYED || type.kind == LIST_SET) && node->count)
        collect_items(leaves, node, path, &type);
    else
        keep(leaves);
}

bool leaves_of(const struct manifest_object *object, struct arena *arena, struct slice_list *leaves)
{
    struct collection collection = {
        .arena = arena, .group = group_of(object->api_version), .path = text_start(arena, 128)};
    collect(&collection, object->root, NULL);
    *leaves = (struct slice_list){collection.items, collection.count};
    return !arena_has_failed(arena);
}

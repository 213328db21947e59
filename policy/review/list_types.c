#include "policy/review/list_types.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "manifest/groups.h"
#include "policy/fieldset/fields.h"

/* No list type has more; a longer key says nothing about the type. */
#define KEY_NAMES_MAX 16

/* Bytes of a key that are parsed in the time that a node is looked at. */
#define KEY_BYTES_A_NODE 8

struct type_search {
    struct arena *arena;
    struct lookup *lookup;
    bool is_cut_short;
    struct list_type found;
};

/* Pays for looking at nodes. */
static bool spend(struct type_search *search, size_t nodes)
{
    search->is_cut_short |= !effort_spend(lookup_effort(search->lookup), EFFORT_LISTS, nodes);
    return !search->is_cut_short;
}

static bool read_key_names(struct type_search *search, struct slice key)
{
    struct path element = {0};
    bool known;
    if (!spend(search, key.length / KEY_BYTES_A_NODE) ||
        !fields_decode_element(key, search->arena, &element, &known))
        return false;
    size_t size = yyjson_obj_size(element.json);
    struct slice *names =
        size <= KEY_NAMES_MAX ? arena_allocate_array(search->arena, size, sizeof(*names)) : NULL;
    if (!names)
        return false;
    size_t count = 0;
    json_each_key(name, element.json)
        names[count++] = json_text(name);
    search->found = (struct list_type){LIST_KEYED, {names, count}};
    return count > 0;
}

/*
 * The first child that is an item decides. A node without children is an atomic list, unless another entry
 * knows more.
 */
static bool read_type(struct type_search *search, yyjson_val *node)
{
    if (!yyjson_is_obj(node))
        return false;
    json_each_key(key, node) {
        struct slice text = json_text(key);
        if (!spend(search, 1))
            break;
        if (slice_starts_with(text, SLICE("k:")))
            return read_key_names(search, text);
        if (slice_starts_with(text, SLICE("v:"))) {
            search->found.kind = LIST_SET;
            return true;
        }
    }
    if (yyjson_obj_size(node) == 0 && !search->is_cut_short)
        search->found.kind = LIST_ATOMIC;
    return false;
}

static bool search_below(
    struct type_search *search, yyjson_val *node, const struct path *const *elements, size_t count);

static bool search_items(
    struct type_search *search, yyjson_val *node, const struct path *const *elements, size_t count)
{
    json_each_key(key, node) {
        if (!spend(search, 1))
            break;
        if (slice_starts_with(json_text(key), SLICE("k:")) &&
            search_below(search, yyjson_obj_iter_get_val(key), elements, count))
            return true;
    }
    return false;
}

/* True once the type is certain. */
static bool search_below(
    struct type_search *search, yyjson_val *node, const struct path *const *elements, size_t count)
{
    if (!node || !spend(search, 1))
        return false;
    if (count == 0)
        return read_type(search, node);
    if (elements[0]->kind == PATH_FIELD)
        return search_below(search, lookup_child(search->lookup, node, elements[0]), elements + 1, count - 1);
    return search_items(search, node, elements + 1, count - 1);
}

static bool search_side(
    struct type_search *search, const struct managed_fields *side, const struct path *const *elements,
    size_t count)
{
    for (size_t i = 0; i < side->count && !search->is_cut_short; i++) {
        if (search_below(search, entry_fields(&side->entries[i]), elements, count))
            return true;
    }
    return false;
}

/*
 * A list of the built-in types, by its name and the name of its parent (ANY: any). The first key is the one
 * that client-side apply merges by (kubernetes/api, patchMergeKey).
 */
struct builtin_list {
    struct slice holder;
    struct slice name;
    enum list_kind kind;
    struct slice keys[2];
    size_t key_count;
};

#define KEY(literal) SLICE_LITERAL(literal)
#define ANY                                                                                                  \
    {                                                                                                        \
        NULL, 0                                                                                              \
    }

static const struct builtin_list builtin_lists[] = {
    {ANY, KEY("containers"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("initContainers"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("ephemeralContainers"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("volumes"), LIST_KEYED, {KEY("name")}, 1},
    {KEY("spec"), KEY("imagePullSecrets"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("hostAliases"), LIST_KEYED, {KEY("ip")}, 1},
    {ANY, KEY("topologySpreadConstraints"), LIST_KEYED, {KEY("topologyKey"), KEY("whenUnsatisfiable")}, 2},
    {ANY, KEY("resourceClaims"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("schedulingGates"), LIST_KEYED, {KEY("name")}, 1},
    {KEY("resources"), KEY("claims"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("env"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("volumeMounts"), LIST_KEYED, {KEY("mountPath")}, 1},
    {ANY, KEY("volumeDevices"), LIST_KEYED, {KEY("devicePath")}, 1},
    {KEY("containers"), KEY("ports"), LIST_KEYED, {KEY("containerPort"), KEY("protocol")}, 2},
    {KEY("initContainers"), KEY("ports"), LIST_KEYED, {KEY("containerPort"), KEY("protocol")}, 2},
    {KEY("ephemeralContainers"), KEY("ports"), LIST_KEYED, {KEY("containerPort"), KEY("protocol")}, 2},
    {KEY("spec"), KEY("ports"), LIST_KEYED, {KEY("port"), KEY("protocol")}, 2},
    {ANY, KEY("ownerReferences"), LIST_KEYED, {KEY("uid")}, 1},
    {KEY("metadata"), KEY("finalizers"), LIST_SET, {{NULL, 0}}, 0},
    {ANY, KEY("secrets"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("webhooks"), LIST_KEYED, {KEY("name")}, 1},
    {ANY, KEY("args"), LIST_ATOMIC, {{NULL, 0}}, 0},
    {ANY, KEY("command"), LIST_ATOMIC, {{NULL, 0}}, 0},
    {ANY, KEY("envFrom"), LIST_ATOMIC, {{NULL, 0}}, 0},
    {ANY, KEY("tolerations"), LIST_ATOMIC, {{NULL, 0}}, 0},
    {ANY, KEY("accessModes"), LIST_ATOMIC, {{NULL, 0}}, 0},
    {ANY, KEY("rules"), LIST_ATOMIC, {{NULL, 0}}, 0},
    {ANY, KEY("subjects"), LIST_ATOMIC, {{NULL, 0}}, 0},
};

/* The name of the field that holds the list's holder: the list of containers for the ports of one. */
static struct slice holder_of(const struct path *path)
{
    const struct path *holder = path->parent;
    while (holder && holder->kind != PATH_FIELD)
        holder = holder->parent;
    return holder ? holder->text : (struct slice){NULL, 0};
}

struct list_type list_type_builtin(struct slice group, const struct path *path, struct slice *merge_key)
{
    *merge_key = (struct slice){NULL, 0};
    if (!is_builtin_group(group))
        return (struct list_type){.kind = LIST_UNKNOWN};
    for (size_t i = 0; i < ARRAY_SIZE(builtin_lists); i++) {
        const struct builtin_list *list = &builtin_lists[i];
        if (slice_equal(path->text, list->name) &&
            (!list->holder.length || slice_equal(holder_of(path), list->holder))) {
            *merge_key = list->keys[0];
            return (struct list_type){list->kind, {list->keys, list->key_count}};
        }
    }
    return (struct list_type){.kind = LIST_UNKNOWN};
}

struct list_type list_type_at(const struct review *review, const struct path *path)
{
    const struct path *elements[JSON_DEPTH_MAX];
    struct type_search search = {.arena = review->arena, .lookup = review->lookup};
    if (path->depth > JSON_DEPTH_MAX || path->kind != PATH_FIELD)
        return search.found;
    for (const struct path *element = path; element; element = element->parent)
        elements[element->depth - 1] = element;
    if (!search_side(&search, &review->ownership.before, elements, path->depth))
        search_side(&search, &review->ownership.after, elements, path->depth);
    if (search.found.kind == LIST_KEYED || search.found.kind == LIST_SET)
        return search.found;
    /* Where FieldsV1 shows but a leaf, that may also be an empty list of the kind the table knows. */
    struct slice merge_key;
    struct list_type builtin = list_type_builtin(review->group, path, &merge_key);
    if (builtin.kind == LIST_UNKNOWN && search.is_cut_short)
        return (struct list_type){LIST_UNKNOWN, {NULL, 0}};
    return builtin.kind == LIST_UNKNOWN ? search.found : builtin;
}

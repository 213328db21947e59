#include "check/declared_fields.h"

#include "base/count.h"
#include "check/kinds.h"
#include "manifest/write.h"
#include "policy/review/list_types.h"

struct fields_writer {
    struct text *text;
    struct slice group;
};

/* Maps and structs of Kubernetes' types that have one owner (kubernetes/api, structType and mapType: atomic).
 */
static const char *const atomic_names[] = {
    "selector",        "labelSelector",   "namespaceSelector", "podSelector", "nodeSelector",
    "secretKeyRef",    "configMapKeyRef", "fieldRef",          "secretRef",   "resourceFieldRef",
    "objectRef",       "scaleTargetRef",  "roleRef",           "claimRef",    "localObjectReference",
    "nodeSelectorTerm"};

/* Of the root and of metadata: what belongs to no manager. */
static const char *const unowned_names[] = {"apiVersion", "kind"};
static const char *const unowned_metadata[] = {"name",       "namespace",     "creationTimestamp",
                                               "selfLink",   "uid",           "clusterName",
                                               "generation", "managedFields", "resourceVersion"};

static bool is_one_of(struct slice name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_equal(name, slice_of(names[i])))
            return true;
    return false;
}

bool declared_fields_is_unowned(const struct path *parent, struct slice name)
{
    if (!parent)
        return is_one_of(name, unowned_names, COUNT(unowned_names));
    return !parent->parent && slice_equal(parent->text, SLICE("metadata")) &&
        is_one_of(name, unowned_metadata, COUNT(unowned_metadata));
}

static void append_fields(
    struct fields_writer *writer, const struct manifest_node *node, const struct path *path);

/* A key of FieldsV1 is a text that begins with its kind. */
static void append_name(struct text *text, struct slice name)
{
    struct text key = text_start(text->arena, name.length + 8);
    text_append_string(&key, "f:");
    text_append(&key, name);
    manifest_append_string(text, text_slice(&key));
}

bool declared_fields_append_key(struct text *text, const struct manifest_node *item, struct slice name)
{
    const struct manifest_node *value = manifest_member(item, name);
    bool is_default = !value && slice_equal(name, SLICE("protocol"));
    if (value)
        manifest_append_json(text, value);
    else if (is_default)
        text_append_string(text, "\"TCP\"");
    return value || is_default;
}

struct slice declared_fields_item_key(
    const struct manifest_node *item, const struct slice_list *names, struct arena *arena)
{
    struct text key = text_start(arena, 64);
    const char *separator = "k:{";
    for (size_t i = 0; i < names->count; i++) {
        struct text value = text_start(arena, 32);
        if (!declared_fields_append_key(&value, item, names->items[i]))
            continue;
        text_append_string(&key, separator);
        manifest_append_string(&key, names->items[i]);
        text_append_string(&key, ":");
        text_append(&key, text_slice(&value));
        separator = ",";
    }
    text_append_string(&key, key.length ? "}" : "k:{}");
    return text_slice(&key);
}

static void append_items(
    struct fields_writer *writer, const struct manifest_node *list, const struct path *path,
    const struct list_type *type)
{
    const char *separator = "";
    for (size_t i = 0; i < list->count; i++) {
        const struct manifest_node *item = list->items[i];
        const struct path element = {.parent = path, .depth = path->depth + 1, .kind = PATH_KEY};
        bool is_keyed = type->kind == LIST_KEYED && item->kind == MANIFEST_MAP;
        if (type->kind == LIST_KEYED && !is_keyed)
            continue;
        text_append_string(writer->text, separator);
        separator = ",";
        if (is_keyed) {
            manifest_append_string(
                writer->text, declared_fields_item_key(item, &type->keys, writer->text->arena));
            text_append_string(writer->text, ":");
            append_fields(writer, item, &element);
            continue;
        }
        struct text value = text_start(writer->text->arena, 64);
        text_append_string(&value, "v:");
        manifest_append_json(&value, item);
        manifest_append_string(writer->text, text_slice(&value));
        text_append_string(writer->text, ":{}");
    }
}

bool declared_fields_is_atomic(struct slice group, const struct path *path)
{
    return is_group_of_kubernetes(group) && path && path->kind == PATH_FIELD &&
        is_one_of(path->text, atomic_names, COUNT(atomic_names));
}

static void append_member(
    struct fields_writer *writer, struct slice name, const struct manifest_node *value,
    const struct path *parent)
{
    const struct path element = {
        .parent = parent, .depth = parent ? parent->depth + 1 : 1, .kind = PATH_FIELD, .text = name};
    append_name(writer->text, name);
    text_append_string(writer->text, ":");
    append_fields(writer, value, &element);
}

static void append_members(
    struct fields_writer *writer, const struct manifest_node *map, const struct path *path)
{
    bool is_first = true;
    for (size_t i = 0; i < map->count; i++) {
        const struct manifest_member *member = &map->members[i];
        if (declared_fields_is_unowned(path, member->key))
            continue;
        text_append_string(writer->text, is_first ? "" : ",");
        append_member(writer, member->key, member->value, path);
        is_first = false;
    }
}

static void append_fields(
    struct fields_writer *writer, const struct manifest_node *node, const struct path *path)
{
    struct slice merge_key;
    text_append_string(writer->text, "{");
    if (node->kind == MANIFEST_LIST && path && path->kind == PATH_FIELD) {
        struct list_type type = list_type_builtin(writer->group, path, &merge_key);
        if (type.kind == LIST_KEYED || type.kind == LIST_SET)
            append_items(writer, node, path, &type);
    } else if (node->kind == MANIFEST_MAP && !declared_fields_is_atomic(writer->group, path)) {
        append_members(writer, node, path);
    }
    text_append_string(writer->text, "}");
}

void declared_fields_append(struct text *text, struct slice group, const struct manifest_node *object)
{
    struct fields_writer writer = {.text = text, .group = group};
    append_fields(&writer, object, NULL);
}

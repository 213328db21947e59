#include "apply/schema_check.h"

#include "apply/merge/schema.h"
#include "apply/removed_versions.h"
#include "base/array_size.h"
#include "base/ascii.h"
#include "base/digits.h"
#include "base/words.h"
#include "manifest/groups.h"
#include "manifest/kinds.h"
#include "manifest/variable.h"
#include "policy/fieldset/path.h"

#include <stdlib.h>

/* The limit of the kinds of a group, each counted once for each version, and of the fields of a type. */
#define NAMES_MAX 512

/* The limit of problems of one object. */
#define PROBLEMS_MAX 1000

struct schema_search {
    struct arena *arena;
    bool is_server_side;
    struct document_problem *items;
    size_t count;
    size_t capacity;
};

static void add(
    struct schema_search *search, const struct document_problem *problem, const struct path *path,
    struct manifest_place place)
{
    struct text field = text_start(search->arena, 96);
    if (search->count == PROBLEMS_MAX)
        return;
    struct document_problem *items =
        arena_grow(search->arena, search->items, search->count, &search->capacity, sizeof(*items));
    if (!items)
        return;
    search->items = items;
    items[search->count] = *problem;
    if (path)
        path_append(&field, path);
    items[search->count].field = path ? text_slice(&field) : (struct slice){NULL, 0};
    items[search->count].line = place.line;
    items[search->count++].column = place.column;
}

/*
 * Kinds
 */

/* Kinds that the schema lacks: answers, parts of requests, and kinds that Kubernetes had before 1.25. */
static const char *const other_kinds[] = {
    "APIGroup",
    "APIResourceList",
    "APIVersions",
    "Binding",
    "ClusterCIDR",
    "ComponentStatus",
    "DeleteOptions",
    "Eviction",
    "ExternalAdmissionHookConfiguration",
    "InitializerConfiguration",
    "List",
    "PodSchedulingContext",
    "PodSecurityPolicy",
    "PodStatusResult",
    "RangeAllocation",
    "ResourceClass",
    "Scale",
    "SerializedReference",
    "Status",
    "TokenRequest",
};

static bool is_other_kind(struct slice group, struct slice kind)
{
    return slice_equal(group, SLICE("extensions")) || slice_ends_with(kind, SLICE("Review")) ||
        slice_ends_with(kind, SLICE("List")) || slice_ends_with(kind, SLICE("Parameters")) ||
        slice_is_one_of(kind, other_kinds, ARRAY_SIZE(other_kinds));
}

/* Other versions are not looked at: a cluster may serve one that the schema does not have. */
static void check_kind(struct schema_search *search, const struct manifest_object *object)
{
    const char *names[NAMES_MAX];
    const struct slice group = group_of(object->api_version);
    size_t count = schema_builtin_kinds(group, names, ARRAY_SIZE(names));
    if (!count || count > ARRAY_SIZE(names) || is_other_kind(group, object->kind))
        return;
    for (size_t i = 0; i < count; i++)
        if (slice_equal(slice_of(names[i]), object->kind))
            return;
    const struct manifest_member *member = manifest_find_member(object->root, SLICE("kind"));
    const struct document_problem problem = {
        .kind = DOCUMENT_UNKNOWN_KIND, .nearest = word_nearest(object->kind, names, count)};
    add(search, &problem, NULL, member ? member->value->place : object->root->place);
}

/* Returns false if the version is served. */
static bool check_version(struct schema_search *search, const struct manifest_object *object)
{
    const struct removed_version *removed = removed_version_find(object->api_version, object->kind);
    const struct manifest_member *member = manifest_find_member(object->root, SLICE("apiVersion"));
    if (!removed)
        return false;
    const struct document_problem problem = {
        .kind = DOCUMENT_REMOVED_VERSION, .is = removed->since, .must_be = removed->successor};
    add(search, &problem, NULL, member ? member->value->place : object->root->place);
    return true;
}

/*
 * Types
 */

static unsigned scalar_of(const struct manifest_node *node)
{
    if (node->kind == MANIFEST_STRING)
        return SCHEMA_STRING;
    return node->kind == MANIFEST_BOOL ? SCHEMA_BOOLEAN : SCHEMA_NUMBER;
}

static const char *name_of(const struct manifest_node *node)
{
    if (node->kind == MANIFEST_LIST || node->kind == MANIFEST_MAP)
        return node->kind == MANIFEST_LIST ? "list" : "map";
    return schema_scalars_text(scalar_of(node));
}

static bool is_allowed(struct schema_ref type, const struct manifest_node *node)
{
    const struct schema_type *of = schema_type_of(type);
    switch (node->kind) {
    case MANIFEST_NULL:
        return true;
    case MANIFEST_LIST:
        return of->kinds & SCHEMA_LIST;
    case MANIFEST_MAP:
        return of->kinds & SCHEMA_MAP;
    default:
        return (of->scalars & scalar_of(node)) || variable_or_template_is_in(manifest_text(node)) ||
            variable_is_blank(manifest_text(node));
    }
}

/* [IMAGE_URL], which a person replaces with its brackets: YAML reads a list. */
static bool is_blank_in_brackets(const struct manifest_node *node)
{
    const struct slice word = node->kind == MANIFEST_LIST && node->count == 1 ? manifest_text(node->items[0])
                                                                              : (struct slice){NULL, 0};
    for (size_t i = 0; i < word.length; i++)
        if (ascii_to_lower(word.bytes[i]) == word.bytes[i] && word.bytes[i] != '_' &&
            !ascii_is_digit(word.bytes[i]))
            return false;
    return word.length > 2;
}

/*
 * Items of a list that have the same keys
 */

struct keyed_node {
    struct slice key;
    size_t index;
};

static int compare_nodes(const void *a, const void *b)
{
    const struct keyed_node *first = a, *second = b;
    int order = slice_compare(first->key, second->key);
    return order ? order : first->index < second->index ? -1 : 1;
}

/* The values of the keys, with defaults: 80/TCP. Empty if the item has no key. */
static struct slice key_of_item(
    const struct schema_search *search, struct schema_ref list, const struct manifest_node *item)
{
    const struct schema_type *type = schema_type_of(list);
    struct text text = text_start(search->arena, 64);
    bool has_key = type->key_count == 0 && item->kind == MANIFEST_STRING;
    if (has_key)
        manifest_append_json(&text, item);
    for (size_t i = 0; i < type->key_count && item->kind == MANIFEST_MAP; i++) {
        const struct slice name = schema_name_of(list.schema, list.schema->keys[type->first_key + i]);
        const struct manifest_node *value = manifest_member(item, name);
        const struct schema_field *field = schema_field_of(schema_item(list), name);
        has_key |= value && value->kind != MANIFEST_NULL;
        if (value)
            manifest_append_json(&text, value);
        else if (field && field->preset)
            text_append(&text, schema_name_of(list.schema, field->preset));
        text_append_string(&text, "/");
    }
    return has_key ? text_slice(&text) : (struct slice){NULL, 0};
}

static void add_item(
    struct schema_search *search, const struct path *list, size_t index, const struct manifest_node *item)
{
    char number[DIGITS_MAX];
    struct path path = path_below(list);
    path.kind = PATH_INDEX;
    path.text = digits_write(index, number);
    add(search, &(struct document_problem){.kind = DOCUMENT_SAME_ITEM}, &path, item->place);
}

static void check_keys(
    struct schema_search *search, struct schema_ref type, const struct manifest_node *list,
    const struct path *path)
{
    size_t count = 0;
    if (!search->is_server_side || list->count < 2 || (schema_type_of(type)->is_atomic & SCHEMA_LIST))
        return;
    struct keyed_node *keys = arena_allocate_array(search->arena, list->count, sizeof(*keys));
    for (size_t i = 0; keys && i < list->count; i++) {
        keys[count] = (struct keyed_node){key_of_item(search, type, list->items[i]), i};
        count += keys[count].key.length != 0;
    }
    if (count)
        qsort(keys, count, sizeof(*keys), compare_nodes);
    for (size_t i = 1; i < count; i++)
        if (slice_equal(keys[i].key, keys[i - 1].key))
            add_item(search, path, keys[i].index, list->items[keys[i].index]);
}

/*
 * Fields
 */

static const char *nearest_field(struct schema_ref type, struct slice name)
{
    const char *names[NAMES_MAX];
    const struct schema_type *of = schema_type_of(type);
    size_t count = of->field_count < ARRAY_SIZE(names) ? of->field_count : ARRAY_SIZE(names);
    for (size_t i = 0; i < count; i++)
        names[i] = schema_name_of(type.schema, type.schema->fields[of->first_field + i].name).bytes;
    return word_nearest(name, names, count);
}

/* Strategic merge patches have directives such as $patch. */
static bool is_directive(struct slice name)
{
    return name.length && name.bytes[0] == '$';
}

/* A field of an alpha feature that Kubernetes 1.36 has, and that the schema no longer has. */
static bool is_former_field(struct slice name)
{
    return slice_equal(name, SLICE("nodeAllocatableResourceMappings"));
}

static void check(
    struct schema_search *search, struct schema_ref type, const struct manifest_node *node,
    const struct path *path, struct manifest_place place);

static void check_members(
    struct schema_search *search, struct schema_ref type, const struct manifest_node *map,
    const struct path *parent)
{
    const struct schema_type *of = schema_type_of(type);
    for (size_t i = 0; i < map->count; i++) {
        const struct manifest_member *member = &map->members[i];
        const struct path path = path_member(parent, member->key);
        const struct schema_field *field = schema_field_of(type, member->key);
        if (field || of->is_open || !of->field_count) {
            check(search, schema_of_field(type, field), member->value, &path, member->key_place);
        } else if (!is_directive(member->key) && !is_former_field(member->key)) {
            const struct document_problem problem = {
                .kind = DOCUMENT_UNKNOWN_FIELD, .nearest = nearest_field(type, member->key)};
            add(search, &problem, &path, member->key_place);
        }
    }
}

static void check_items(
    struct schema_search *search, struct schema_ref type, const struct manifest_node *list,
    const struct path *parent)
{
    char number[DIGITS_MAX];
    struct path path = path_below(parent);
    path.kind = PATH_INDEX;
    check_keys(search, type, list, parent);
    for (size_t i = 0; i < list->count; i++) {
        path.text = digits_write(i, number);
        check(search, schema_item(type), list->items[i], &path, list->items[i]->place);
    }
}

/* Recurses as deep as MANIFEST_DEPTH_MAX. `place` is that of the key, or of the item. */
static void check(
    struct schema_search *search, struct schema_ref type, const struct manifest_node *node,
    const struct path *path, struct manifest_place place)
{
    if (type.type == SCHEMA_DEDUCED)
        return;
    if (!is_allowed(type, node)) {
        if (is_blank_in_brackets(node))
            return;
        const struct document_problem problem = {
            .kind = DOCUMENT_WRONG_TYPE,
            .is = name_of(node),
            .must_be = schema_type_text(schema_type_of(type)),
        };
        add(search, &problem, path, place);
    } else if (node->kind == MANIFEST_LIST) {
        check_items(search, type, node, path);
    } else if (node->kind == MANIFEST_MAP) {
        check_members(search, type, node, path);
    }
}

struct document_problems schema_check(
    const struct manifest_object *object, bool is_server_side, struct arena *arena)
{
    struct schema_search search = {.arena = arena, .is_server_side = is_server_side};
    struct schema_ref type;
    /* SOPS encrypts values of any type, and removes its member when it decrypts them. */
    if (manifest_member(object->root, SLICE("sops")))
        return (struct document_problems){NULL, 0};
    if (check_version(&search, object))
        return (struct document_problems){search.items, search.count};
    if (schema_find_builtin(object->api_version, object->kind, &type))
        check(&search, type, object->root, NULL, object->root->place);
    else if (is_builtin_group(group_of(object->api_version)))
        check_kind(&search, object);
    return (struct document_problems){search.items, search.count};
}

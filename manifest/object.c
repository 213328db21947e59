#include "manifest/object.h"

#include "base/array_size.h"
#include "base/yaml.h"
#include "manifest/timestamp.h"

enum shape {
    SHAPE_TEXT,
    SHAPE_INTEGER,
    SHAPE_BOOL,
    SHAPE_TIME,
    SHAPE_TEXTS,
    SHAPE_TEXT_MAP,
    SHAPE_OWNERS,
    SHAPE_ENTRIES
};

struct field {
    struct slice name;
    enum shape shape;
};

static const struct field metadata_fields[] = {
    {SLICE_LITERAL("name"), SHAPE_TEXT},
    {SLICE_LITERAL("generateName"), SHAPE_TEXT},
    {SLICE_LITERAL("namespace"), SHAPE_TEXT},
    {SLICE_LITERAL("selfLink"), SHAPE_TEXT},
    {SLICE_LITERAL("uid"), SHAPE_TEXT},
    {SLICE_LITERAL("resourceVersion"), SHAPE_TEXT},
    {SLICE_LITERAL("generation"), SHAPE_INTEGER},
    {SLICE_LITERAL("creationTimestamp"), SHAPE_TIME},
    {SLICE_LITERAL("deletionTimestamp"), SHAPE_TIME},
    {SLICE_LITERAL("deletionGracePeriodSeconds"), SHAPE_INTEGER},
    {SLICE_LITERAL("labels"), SHAPE_TEXT_MAP},
    {SLICE_LITERAL("annotations"), SHAPE_TEXT_MAP},
    {SLICE_LITERAL("ownerReferences"), SHAPE_OWNERS},
    {SLICE_LITERAL("finalizers"), SHAPE_TEXTS},
    {SLICE_LITERAL("managedFields"), SHAPE_ENTRIES},
};

static const struct field owner_fields[] = {
    {SLICE_LITERAL("apiVersion"), SHAPE_TEXT}, {SLICE_LITERAL("kind"), SHAPE_TEXT},
    {SLICE_LITERAL("name"), SHAPE_TEXT},       {SLICE_LITERAL("uid"), SHAPE_TEXT},
    {SLICE_LITERAL("controller"), SHAPE_BOOL}, {SLICE_LITERAL("blockOwnerDeletion"), SHAPE_BOOL},
};

static const struct field entry_fields[] = {
    {SLICE_LITERAL("manager"), SHAPE_TEXT},    {SLICE_LITERAL("operation"), SHAPE_TEXT},
    {SLICE_LITERAL("apiVersion"), SHAPE_TEXT}, {SLICE_LITERAL("time"), SHAPE_TIME},
    {SLICE_LITERAL("fieldsType"), SHAPE_TEXT}, {SLICE_LITERAL("subresource"), SHAPE_TEXT},
};

struct check {
    struct arena *arena;
    struct error *error;
    const char *field; /* the member of metadata that is being checked */
};

static const char *name_of(const struct manifest_node *node)
{
    static const char *const names[] = {
        [MANIFEST_NULL] = "null",      [MANIFEST_BOOL] = "true or false", [MANIFEST_INT] = "a number",
        [MANIFEST_FLOAT] = "a number", [MANIFEST_STRING] = "a string",    [MANIFEST_LIST] = "a list",
        [MANIFEST_MAP] = "a map",
    };
    return names[node->kind];
}

static bool refuse(
    const struct check *check, const struct manifest_node *node, struct slice key, const char *expected,
    const char *advice)
{
    error_set_at(
        check->error, node->place.line, node->place.column,
        "kubectl refuses this: metadata.%s%s%s takes %s, and this is read as %s%s", check->field,
        key.length ? "." : "", key.length ? yaml_excerpt(check->arena, key) : "", expected, name_of(node),
        advice);
    return false;
}

static bool check_kind(
    const struct check *check, const struct manifest_node *node, struct slice key, enum manifest_kind kind,
    const char *expected)
{
    return node->kind == kind || node->kind == MANIFEST_NULL || refuse(check, node, key, expected, "");
}

static bool check_text(const struct check *check, const struct manifest_node *node, struct slice key)
{
    bool is_text = node->kind == MANIFEST_STRING || node->kind == MANIFEST_NULL;
    bool is_container = node->kind == MANIFEST_LIST || node->kind == MANIFEST_MAP;
    return is_text || refuse(check, node, key, "a string", is_container ? "" : "; put it in quotes");
}

static bool check_time(const struct check *check, const struct manifest_node *node, struct slice key)
{
    const char *expected = "a time such as 2026-01-31T12:00:00Z";
    return check_kind(check, node, key, MANIFEST_STRING, expected) &&
        (node->kind == MANIFEST_NULL || timestamp_is_rfc3339(node->string) ||
         refuse(check, node, key, expected, ""));
}

static bool check_text_map(const struct check *check, const struct manifest_node *node)
{
    if (!check_kind(check, node, SLICE(""), MANIFEST_MAP, "a map of strings"))
        return false;
    for (size_t i = 0; i < (node->kind == MANIFEST_MAP ? node->count : 0); i++) {
        if (!check_text(check, node->members[i].value, node->members[i].key))
            return false;
    }
    return true;
}

static bool check_fields(
    struct check *check, const struct manifest_node *map, const struct field *fields, size_t count);

static bool check_items(
    struct check *check, const struct manifest_node *node, const struct field *fields, size_t count)
{
    if (!check_kind(check, node, SLICE(""), MANIFEST_LIST, "a list"))
        return false;
    const char *field = check->field;
    for (size_t i = 0; i < (node->kind == MANIFEST_LIST ? node->count : 0); i++) {
        const struct manifest_node *item = node->items[i];
        bool is_good = fields ? check_kind(check, item, SLICE(""), MANIFEST_MAP, "a list of maps") &&
                check_fields(check, item, fields, count)
                              : check_text(check, item, SLICE(""));
        if (!is_good)
            return false;
        check->field = field;
    }
    return true;
}

static bool check_field(struct check *check, const struct manifest_node *node, enum shape shape)
{
    switch (shape) {
    case SHAPE_TEXT:
        return check_text(check, node, SLICE(""));
    case SHAPE_INTEGER:
        return check_kind(check, node, SLICE(""), MANIFEST_INT, "a whole number");
    case SHAPE_BOOL:
        return check_kind(check, node, SLICE(""), MANIFEST_BOOL, "true or false");
    case SHAPE_TIME:
        return check_time(check, node, SLICE(""));
    case SHAPE_TEXTS:
        return check_items(check, node, NULL, 0);
    case SHAPE_TEXT_MAP:
        return check_text_map(check, node);
    case SHAPE_OWNERS:
        return check_items(check, node, owner_fields, ARRAY_SIZE(owner_fields));
    default:
        return check_items(check, node, entry_fields, ARRAY_SIZE(entry_fields));
    }
}

static bool check_fields(
    struct check *check, const struct manifest_node *map, const struct field *fields, size_t count)
{
    const char *above = check->field;
    for (size_t i = 0; i < count; i++) {
        const struct manifest_node *node = manifest_member(map, fields[i].name);
        check->field = *above ? above : fields[i].name.bytes;
        if (node && !check_field(check, node, fields[i].shape))
            return false;
    }
    return true;
}

bool object_check_metadata(const struct manifest_node *object, struct arena *arena, struct error *error)
{
    const struct manifest_node *metadata = manifest_member(object, SLICE("metadata"));
    if (!metadata || metadata->kind == MANIFEST_NULL)
        return true;
    if (metadata->kind != MANIFEST_MAP) {
        error_set_at(
            error, metadata->place.line, metadata->place.column,
            "kubectl refuses this: metadata takes a map, and this is read as %s", name_of(metadata));
        return false;
    }
    struct check check = {arena, error, ""};
    return check_fields(&check, metadata, metadata_fields, ARRAY_SIZE(metadata_fields));
}

static bool refuse_type(
    const struct manifest_node *object, const struct manifest_node *node, const char *field,
    struct error *error)
{
    struct manifest_place place = node ? node->place : object->place;
    error_set_at(
        error, place.line, place.column,
        node && node->kind != MANIFEST_NULL ? "kubectl refuses this: %s is not a string that it understands"
                                            : "kubectl refuses this: the object has no %s",
        field);
    return false;
}

/* GROUP/VERSION or VERSION; schema.ParseGroupVersion accepts any text for them. */
static bool is_group_version(struct slice text)
{
    size_t slash = slice_find(text, '/');
    struct slice rest = slice_from(text, slash + 1);
    return text.length && (slash == text.length || (rest.length && !slice_contains(rest, '/')));
}

bool object_check_type(const struct manifest_node *object, struct error *error)
{
    const struct manifest_node *kind = manifest_member(object, SLICE("kind"));
    const struct manifest_node *version = manifest_member(object, SLICE("apiVersion"));
    if (!manifest_text(kind).length)
        return refuse_type(object, kind, "kind", error);
    return is_group_version(manifest_text(version)) || refuse_type(object, version, "apiVersion", error);
}

struct slice object_kind_of_item(const struct manifest_node *list, const struct manifest_node *item)
{
    struct slice own = manifest_text(manifest_member(item, SLICE("kind")));
    struct slice kind = manifest_text(manifest_member(list, SLICE("kind")));
    if (own.length || manifest_text(manifest_member(item, SLICE("apiVersion"))).length)
        return own;
    if (kind.length >= 4 && slice_equal(slice_from(kind, kind.length - 4), SLICE("List")))
        kind.length -= 4;
    return kind;
}

/*
 * The schema of a custom resource, from its OpenAPI v3 schema (kube-openapi, pkg/schemaconv).
 */
#include "apply/merge/schema.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

#include <stdlib.h>

/* The largest number of parts in the schema of a custom resource; the API server's own schemas are larger. */
#define NUMBERS_MAX 65535

/* The metadata of any object, as an OpenAPI schema. */
static const char metadata_text[] =
    "{\"metadata\":{\"type\":\"object\",\"properties\":{"
    "\"annotations\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"
    "\"labels\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"
    "\"finalizers\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":\"string\"}},"
    "\"managedFields\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
    "\"ownerReferences\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\","
    "\"x-kubernetes-list-map-keys\":[\"uid\"],\"items\":{\"type\":\"object\","
    "\"x-kubernetes-map-type\":\"atomic\"}},"
    "\"creationTimestamp\":{\"type\":\"string\"},\"deletionGracePeriodSeconds\":{\"type\":\"integer\"},"
    "\"deletionTimestamp\":{\"type\":\"string\"},\"generateName\":{\"type\":\"string\"},"
    "\"generation\":{\"type\":\"integer\"},\"name\":{\"type\":\"string\"},\"namespace\":{\"type\":\"string\"}"
    ","
    "\"resourceVersion\":{\"type\":\"string\"},\"selfLink\":{\"type\":\"string\"},\"uid\":{\"type\":"
    "\"string\"}}}}";

/* The schema under construction, with the sizes that were counted before. */
struct build {
    struct arena *arena;
    struct error *error;
    struct text text;
    struct schema_name *names;
    uint16_t *keys;
    struct schema_field *fields;
    struct schema_type *types;
    size_t name_count, key_count, field_count, type_count;
    yyjson_val *metadata;   /* the key in the document; its value follows */
    uint16_t metadata_type; /* 0: not yet there */
    bool has_failed;
};

/* The number of values in a schema bounds that of its types, fields, keys and names. */
static size_t count_values(yyjson_val *json)
{
    size_t count = 1;
    yyjson_val *end = unsafe_yyjson_get_next(json);
    for (yyjson_val *at = json; at < end; at++)
        count++;
    return count;
}

static uint16_t fail(struct build *build, const char *problem)
{
    if (!build->has_failed)
        error_set(build->error, "%s", problem);
    build->has_failed = true;
    return 0;
}

static uint16_t fail_out_of_memory(struct build *build)
{
    if (!build->has_failed)
        error_set_out_of_memory(build->error);
    build->has_failed = true;
    return 0;
}

static uint16_t add_name(struct build *build, struct slice name)
{
    if (build->text.length + name.length > UINT32_MAX)
        return fail(build, "the schema has too many names");
    build->names[build->name_count] =
        (struct schema_name){(uint32_t)build->text.length, (uint32_t)name.length};
    text_append(&build->text, name);
    return (uint16_t)build->name_count++;
}

static bool is_text(yyjson_val *value, struct slice text)
{
    return slice_equal(json_text(value), text);
}

static uint16_t add_type(struct build *build, yyjson_val *json, unsigned depth);

static uint16_t add_preset(struct build *build, yyjson_val *json)
{
    yyjson_val *preset = json_member(json, SLICE("default"));
    if (!preset || yyjson_is_null(preset))
        return 0;
    struct slice text = json_write(preset, build->arena);
    return text.bytes ? add_name(build, text) : fail_out_of_memory(build);
}

/*
 * The properties, sorted by name. The metadata of an object, also of an embedded one, is `build->metadata`,
 * and not the property of the schema. Returns NULL if memory runs out, or two properties have one name.
 */
static yyjson_val **sort_properties(
    struct build *build, yyjson_val *properties, bool is_object, size_t *sorted_count)
{
    size_t filled = 0;
    yyjson_val **sorted =
        arena_allocate_array(build->arena, yyjson_obj_size(properties) + 2, sizeof(*sorted));
    if (!sorted)
        return NULL;
    json_each_key(key, properties) {
        if (!is_object || !is_text(key, SLICE("metadata")))
            sorted[filled++] = key;
    }
    if (is_object)
        sorted[filled++] = build->metadata;
    qsort(sorted, filled, sizeof(*sorted), json_compare_keys);
    for (size_t i = 1; i < filled; i++) {
        if (json_compare_keys(&sorted[i - 1], &sorted[i]) == 0) {
            fail(build, "the schema has two properties of one name");
            return NULL;
        }
    }
    *sorted_count = filled;
    return sorted;
}

static uint16_t add_metadata_type(struct build *build)
{
    if (!build->metadata_type)
        build->metadata_type = add_type(build, build->metadata + 1, 1);
    return build->metadata_type;
}

static void add_fields(
    struct build *build, struct schema_type *type, yyjson_val *properties, bool is_object, unsigned depth)
{
    size_t count, first = build->field_count;
    yyjson_val **sorted = sort_properties(build, properties, is_object, &count);
    if (!sorted) {
        fail_out_of_memory(build);
        return;
    }
    build->field_count += count;
    for (size_t i = 0; i < count; i++) {
        yyjson_val *json = sorted[i] + 1;
        struct schema_field field = {.name = add_name(build, json_text(sorted[i]))};
        field.preset = add_preset(build, json);
        field.type =
            sorted[i] == build->metadata ? add_metadata_type(build) : add_type(build, json, depth + 1);
        build->fields[first + i] = field;
    }
    type->first_field = (uint16_t)first;
    type->field_count = (uint16_t)count;
}

static void describe_map(struct build *build, struct schema_type *type, yyjson_val *json, unsigned depth)
{
    yyjson_val *others = json_member(json, SLICE("additionalProperties"));
    yyjson_val *properties = json_member(json, SLICE("properties"));
    bool is_object = depth == 0 || yyjson_is_true(json_member(json, SLICE("x-kubernetes-embedded-resource")));
    type->kinds |= SCHEMA_MAP;
    if (is_text(json_member(json, SLICE("x-kubernetes-map-type")), SLICE("atomic")))
        type->is_atomic |= SCHEMA_MAP;
    if (yyjson_is_obj(properties) || is_object)
        add_fields(build, type, properties, is_object, depth);
    if (yyjson_is_obj(others))
        type->member = add_type(build, others, depth + 1);
    type->is_open = yyjson_is_obj(others) || yyjson_is_true(others) ||
        yyjson_is_true(json_member(json, SLICE("x-kubernetes-preserve-unknown-fields")));
}

#define KEYS_MAX 16

static void add_keys(struct build *build, struct schema_type *type, yyjson_val *keys)
{
    struct slice names[KEYS_MAX];
    size_t filled = 0;
    if (yyjson_arr_size(keys) > KEYS_MAX) {
        fail(build, "a list in the schema has too many keys");
        return;
    }
    json_each_item(key, keys)
        names[filled++] = json_text(key);
    qsort(names, filled, sizeof(names[0]), slice_compare_items);
    type->first_key = (uint16_t)build->key_count;
    type->key_count = (uint8_t)filled;
    for (size_t i = 0; i < filled; i++)
        build->keys[build->key_count++] = add_name(build, names[i]);
}

static void describe_list(struct build *build, struct schema_type *type, yyjson_val *json, unsigned depth)
{
    yyjson_val *list_type = json_member(json, SLICE("x-kubernetes-list-type"));
    yyjson_val *items = json_member(json, SLICE("items"));
    type->kinds |= SCHEMA_LIST;
    if (is_text(list_type, SLICE("map")))
        add_keys(build, type, json_member(json, SLICE("x-kubernetes-list-map-keys")));
    else if (!is_text(list_type, SLICE("set")))
        type->is_atomic |= SCHEMA_LIST;
    if (yyjson_is_obj(items))
        type->item = add_type(build, items, depth + 1);
}

static uint8_t scalars_of(yyjson_val *kind)
{
    if (is_text(kind, SLICE("string")))
        return SCHEMA_STRING;
    if (is_text(kind, SLICE("integer")) || is_text(kind, SLICE("number")))
        return SCHEMA_NUMBER;
    return is_text(kind, SLICE("boolean")) ? SCHEMA_BOOLEAN : SCHEMA_ANY_SCALAR;
}

static uint16_t add_type(struct build *build, yyjson_val *json, unsigned depth)
{
    struct schema_type type = {0};
    yyjson_val *kind = json_member(json, SLICE("type"));
    if (build->has_failed || depth > JSON_DEPTH_MAX)
        return fail(build, "the schema is too deep");
    size_t number = build->type_count++;
    if (is_text(kind, SLICE("object")) || (!kind && json_member(json, SLICE("properties"))))
        describe_map(build, &type, json, depth);
    else if (is_text(kind, SLICE("array")))
        describe_list(build, &type, json, depth);
    else if (yyjson_is_true(json_member(json, SLICE("x-kubernetes-int-or-string"))))
        type = (struct schema_type){.kinds = SCHEMA_SCALAR, .scalars = SCHEMA_ANY_SCALAR};
    else if (kind)
        type = (struct schema_type){.kinds = SCHEMA_SCALAR, .scalars = scalars_of(kind)};
    else
        type = build->types[SCHEMA_DEDUCED];
    build->types[number] = type;
    return (uint16_t)number;
}

static int begin(struct build *build, size_t most)
{
    build->text = text_start(build->arena, most * 8);
    build->names = arena_allocate_array(build->arena, most, sizeof(*build->names));
    build->keys = arena_allocate_array(build->arena, most, sizeof(*build->keys));
    build->fields = arena_allocate_array(build->arena, most, sizeof(*build->fields));
    build->types = arena_allocate_array(build->arena, most, sizeof(*build->types));
    yyjson_val *metadata = json_parse(slice_of(metadata_text), build->arena);
    if (!metadata || !build->names || !build->keys || !build->fields || !build->types)
        return error_set_out_of_memory(build->error);
    build->metadata = unsafe_yyjson_get_first(metadata);
    add_name(build, SLICE(""));
    build->types[SCHEMA_DEDUCED] = (struct schema_type){
        .kinds = SCHEMA_SCALAR | SCHEMA_LIST | SCHEMA_MAP,
        .scalars = SCHEMA_ANY_SCALAR,
        .is_atomic = SCHEMA_LIST,
        .is_open = 1};
    build->type_count = 1;
    return 0;
}

int schema_read_openapi(
    yyjson_val *openapi, struct arena *arena, struct schema_ref *found, struct error *error)
{
    struct build build = {.arena = arena, .error = error};
    struct schema *schema = arena_allocate_array(arena, 1, sizeof(*schema));
    size_t most = count_values(openapi) + ARRAY_SIZE(metadata_text);
    if (!yyjson_is_obj(openapi))
        return error_set(error, "the schema is not an object");
    if (most > NUMBERS_MAX)
        return error_set(error, "the schema has more than %d parts", NUMBERS_MAX);
    if (!schema || begin(&build, most) < 0)
        return error_set_out_of_memory(error);
    uint16_t root = add_type(&build, openapi, 0);
    if (build.has_failed)
        return -1;
    struct slice names = text_slice(&build.text);
    if (!names.bytes)
        return error_set_out_of_memory(error);
    *schema = (struct schema){names.bytes, build.names, build.keys, build.fields, build.types};
    *found = (struct schema_ref){schema, root};
    return 0;
}

#include "manifest/json_value.h"

#include "manifest/number.h"

static void build_integer(struct json_build *build, int64_t integer)
{
    yyjson_val value = {0};
    if (integer < 0)
        yyjson_set_sint(&value, integer);
    else
        yyjson_set_uint(&value, (uint64_t)integer);
    json_build_copy(build, &value);
}

/* Go writes an integral number without a fraction, so read it as an integer. Fractions are rare. */
static void build_real(struct json_build *build, double real)
{
    yyjson_val value = {0};
    struct text text = text_start(build->arena, 32);
    number_append(&text, real);
    text_append(&text, SLICE("\0"));
    if (!text.failed && yyjson_read_number(text.bytes, &value, YYJSON_READ_NOFLAG, NULL, NULL))
        json_build_copy(build, &value);
    else
        build->failed = true;
}

static void build_map(struct json_build *build, const struct manifest_node *map)
{
    size_t position = json_build_open(build, YYJSON_TYPE_OBJ);
    for (size_t i = 0; i < map->count; i++) {
        json_build_string(build, map->members[i].key);
        manifest_build(build, map->members[i].value);
    }
    json_build_close(build, position);
}

static void build_list(struct json_build *build, const struct manifest_node *list)
{
    size_t position = json_build_open(build, YYJSON_TYPE_ARR);
    for (size_t i = 0; i < list->count; i++)
        manifest_build(build, list->items[i]);
    json_build_close(build, position);
}

/* Recurses as deep as MANIFEST_DEPTH_MAX. */
void manifest_build(struct json_build *build, const struct manifest_node *node)
{
    yyjson_val scalar = {0};
    switch (node->kind) {
    case MANIFEST_NULL:
        yyjson_set_null(&scalar);
        json_build_copy(build, &scalar);
        break;
    case MANIFEST_BOOL:
        yyjson_set_bool(&scalar, node->boolean);
        json_build_copy(build, &scalar);
        break;
    case MANIFEST_INT:
        build_integer(build, node->integer);
        break;
    case MANIFEST_FLOAT:
        build_real(build, node->real);
        break;
    case MANIFEST_STRING:
        json_build_string(build, node->string);
        break;
    case MANIFEST_LIST:
        build_list(build, node);
        break;
    case MANIFEST_MAP:
        build_map(build, node);
        break;
    }
}

yyjson_val *manifest_json_value(const struct manifest_node *node, struct arena *arena)
{
    struct json_build build = json_build_start(arena, node->nodes, node->text_bytes + node->nodes);
    manifest_build(&build, node);
    return json_build_finish(&build);
}

#include "apply/merge/value.h"

#include "base/json.h"
#include "base/json_append.h"
#include "base/json_each.h"

#include <math.h>
#include <stdlib.h>

const struct value value_null = {.kind = VALUE_NULL};
const struct value value_empty_map = {.kind = VALUE_MAP};
const struct value value_empty_list = {.kind = VALUE_LIST};

/* Up to here a search through all members is quicker. */
#define FEW_MEMBERS_MAX 12

struct reader {
    const yyjson_val *left_out; /* the value of a member; NULL: all members are read */
    struct arena *arena;
    struct error *error;
};

static const struct value *read_at(const struct reader *reader, yyjson_val *json, unsigned depth);

static int compare_members(const void *a, const void *b)
{
    const struct value_member *one = a, *other = b;
    return slice_compare(one->name, other->name);
}

/* By name, and then by the place in the document. */
static int compare_read(const void *a, const void *b)
{
    int order = compare_members(a, b);
    const struct value_member *one = a, *other = b;
    if (order)
        return order;
    return (one->name.bytes > other->name.bytes) - (one->name.bytes < other->name.bytes);
}

/* Sorts the members if necessary, and keeps the last one of each name. Returns how many are left. */
static size_t order_members(struct value_member *members, size_t count)
{
    size_t kept = 0;
    bool is_ordered = true;
    for (size_t i = 1; i < count && is_ordered; i++)
        is_ordered = compare_members(&members[i - 1], &members[i]) < 0;
    if (is_ordered)
        return count;
    qsort(members, count, sizeof(*members), compare_read);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 == count || !slice_equal(members[i].name, members[i + 1].name))
            members[kept++] = members[i];
    }
    return kept;
}

static const struct value *read_map(const struct reader *reader, yyjson_val *json, unsigned depth)
{
    size_t filled = 0;
    struct value_member *members =
        arena_allocate_array(reader->arena, yyjson_obj_size(json), sizeof(*members));
    if (!members) {
        error_set_out_of_memory(reader->error);
        return NULL;
    }
    json_each_key(key, json) {
        yyjson_val *member = yyjson_obj_iter_get_val(key);
        if (member == reader->left_out)
            continue;
        const struct value *value = read_at(reader, member, depth + 1);
        if (!value)
            return NULL;
        members[filled++] = (struct value_member){json_text(key), value};
    }
    return value_map(members, order_members(members, filled), reader->arena);
}

static const struct value *read_list(const struct reader *reader, yyjson_val *json, unsigned depth)
{
    size_t filled = 0;
    const struct value **items = arena_allocate_array(reader->arena, yyjson_arr_size(json), sizeof(*items));
    if (!items) {
        error_set_out_of_memory(reader->error);
        return NULL;
    }
    json_each_item(item, json) {
        const struct value *value = read_at(reader, item, depth + 1);
        if (!value)
            return NULL;
        items[filled++] = value;
    }
    return value_list(items, filled, reader->arena);
}

static const struct value *read_at(const struct reader *reader, yyjson_val *json, unsigned depth)
{
    struct value *value = NULL;
    if (depth > JSON_DEPTH_MAX) {
        error_set(reader->error, "it is deeper than %d levels", JSON_DEPTH_MAX);
        return NULL;
    }
    if (!json || yyjson_is_null(json))
        return &value_null;
    if (yyjson_is_obj(json))
        return read_map(reader, json, depth);
    if (yyjson_is_arr(json))
        return read_list(reader, json, depth);
    value = arena_allocate_array(reader->arena, 1, sizeof(*value));
    if (value)
        *value = (struct value){.kind = VALUE_SCALAR, .scalar = json};
    else
        error_set_out_of_memory(reader->error);
    return value;
}

const struct value *value_read_without(
    yyjson_val *json, const yyjson_val *left_out, struct arena *arena, struct error *error)
{
    const struct reader reader = {left_out, arena, error};
    const struct value *value = read_at(&reader, json, 0);
    if (!value && arena_has_failed(arena))
        error_set_out_of_memory(error);
    return value;
}

const struct value *value_read(yyjson_val *json, struct arena *arena, struct error *error)
{
    return value_read_without(json, NULL, arena, error);
}

const struct value *value_read_json(struct slice json, struct arena *arena)
{
    yyjson_val *document = json_parse(json, arena);
    return document ? value_read(document, arena, NULL) : NULL;
}

const struct value *value_list(const struct value *const *items, size_t count, struct arena *arena)
{
    struct value *value = arena_allocate_array(arena, 1, sizeof(*value));
    struct list_items **known = count ? arena_allocate_array(arena, 1, sizeof(struct list_items *)) : NULL;
    if (!value || (count && !known))
        return NULL;
    *value = (struct value){.kind = VALUE_LIST, .items = items, .count = count, .known_items = known};
    return value;
}

const struct value *value_map(const struct value_member *members, size_t count, struct arena *arena)
{
    struct value *value = arena_allocate_array(arena, 1, sizeof(*value));
    if (value)
        *value = (struct value){.kind = VALUE_MAP, .members = members, .count = count};
    return value;
}

static const struct value_member *find_in_order(const struct value *map, struct slice name)
{
    struct value_member wanted = {name, NULL};
    return bsearch(&wanted, map->members, map->count, sizeof(wanted), compare_members);
}

static const struct value_member *find_among_few(const struct value *map, struct slice name)
{
    for (size_t i = 0; i < map->count; i++) {
        if (slice_equal(map->members[i].name, name))
            return &map->members[i];
    }
    return NULL;
}

const struct value *value_member(const struct value *map, struct slice name)
{
    if (!map || map->kind != VALUE_MAP || !map->count)
        return NULL;
    const struct value_member *found =
        map->count <= FEW_MEMBERS_MAX ? find_among_few(map, name) : find_in_order(map, name);
    return found ? found->value : NULL;
}

const struct value *value_with(
    const struct value *map, struct slice name, const struct value *value, struct arena *arena)
{
    size_t had = map && map->kind == VALUE_MAP ? map->count : 0, count = 0, i = 0;
    struct value_member *members = arena_allocate_array(arena, had + 1, sizeof(*members));
    if (!members)
        return NULL;
    while (i < had && slice_compare(map->members[i].name, name) < 0)
        members[count++] = map->members[i++];
    if (value)
        members[count++] = (struct value_member){name, value};
    if (i < had && slice_equal(map->members[i].name, name))
        i++;
    while (i < had)
        members[count++] = map->members[i++];
    return value_map(members, count, arena);
}

const struct value *value_at(const struct value *object, struct slice path)
{
    while (path.length && object) {
        struct slice name = slice_from(path, 1);
        name = slice_until(name, slice_find(name, '.'));
        object = value_member(object, name);
        path = slice_from(path, name.length + 1);
    }
    return object;
}

struct slice value_text(const struct value *value)
{
    return value && value->kind == VALUE_SCALAR ? json_text(value->scalar) : (struct slice){NULL, 0};
}

bool value_is_empty(const struct value *value)
{
    return !value || value->kind == VALUE_NULL || (value->kind != VALUE_SCALAR && value->count == 0);
}

bool value_equal(const struct value *a, const struct value *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == VALUE_SCALAR)
        return json_compare_scalars(a->scalar, b->scalar) == 0;
    for (size_t i = 0; i < a->count; i++) {
        if (a->kind == VALUE_LIST && !value_equal(a->items[i], b->items[i]))
            return false;
        if (a->kind == VALUE_MAP &&
            (!slice_equal(a->members[i].name, b->members[i].name) ||
             !value_equal(a->members[i].value, b->members[i].value)))
            return false;
    }
    return true;
}

bool value_equal_or_empty(const struct value *a, const struct value *b)
{
    return value_is_empty(a) || value_is_empty(b) ? value_is_empty(a) && value_is_empty(b)
                                                  : value_equal(a, b);
}

/* Up to here, a double represents every integer. */
#define EXACT_MAX 9007199254740992.0

/* Integers are equal with and without a fraction: so convert them to integers. */
static yyjson_val as_integer(const yyjson_val *number)
{
    yyjson_val whole = *number;
    if (!unsafe_yyjson_is_real(&whole))
        return whole;
    double value = whole.uni.f64;
    if (fabs(value) > EXACT_MAX || value != (double)(int64_t)value)
        return whole;
    if (value < 0)
        yyjson_set_sint(&whole, (int64_t)value);
    else
        yyjson_set_uint(&whole, (uint64_t)value);
    return whole;
}

static void append_number(struct text *text, yyjson_val *number)
{
    yyjson_val whole = as_integer(number);
    json_append_value(text, &whole);
}

static void append_scalar(struct text *text, yyjson_val *scalar)
{
    if (yyjson_is_str(scalar))
        text_append_json(text, json_text(scalar));
    else if (yyjson_is_bool(scalar))
        text_append_string(text, yyjson_get_bool(scalar) ? "true" : "false");
    else
        append_number(text, scalar);
}

void value_append_json(struct text *text, const struct value *value)
{
    if (value->kind == VALUE_NULL) {
        text_append(text, SLICE("null"));
        return;
    }
    if (value->kind == VALUE_SCALAR) {
        append_scalar(text, value->scalar);
        return;
    }
    text_append_string(text, value->kind == VALUE_MAP ? "{" : "[");
    for (size_t i = 0; i < value->count; i++) {
        if (i)
            text_append(text, SLICE(","));
        if (value->kind == VALUE_MAP)
            text_append_all(text, as_json(value->members[i].name), SLICE(":"));
        value_append_json(text, value->kind == VALUE_MAP ? value->members[i].value : value->items[i]);
    }
    text_append_string(text, value->kind == VALUE_MAP ? "}" : "]");
}

static void build_scalar(struct json_build *build, const struct value *value)
{
    yyjson_val scalar = {0};
    if (value->kind == VALUE_NULL)
        yyjson_set_null(&scalar);
    else
        scalar = as_integer(value->scalar);
    json_build_copy(build, &scalar);
}

void value_build(struct json_build *build, const struct value *value)
{
    if (value->kind == VALUE_NULL || value->kind == VALUE_SCALAR) {
        build_scalar(build, value);
        return;
    }
    size_t position = json_build_open(build, value->kind == VALUE_MAP ? YYJSON_TYPE_OBJ : YYJSON_TYPE_ARR);
    for (size_t i = 0; i < value->count; i++) {
        if (value->kind == VALUE_MAP)
            json_build_string(build, value->members[i].name);
        value_build(build, value->kind == VALUE_MAP ? value->members[i].value : value->items[i]);
    }
    json_build_close(build, position);
}

static void add_size(const struct value *value, struct value_size *size)
{
    size->values++;
    if (value->kind == VALUE_SCALAR)
        size->string_bytes += json_text(value->scalar).length + 1;
    for (size_t i = 0; i < value->count; i++) {
        if (value->kind == VALUE_LIST) {
            add_size(value->items[i], size);
            continue;
        }
        size->values++;
        size->string_bytes += value->members[i].name.length + 1;
        add_size(value->members[i].value, size);
    }
}

struct value_size value_size(const struct value *value)
{
    struct value_size size = {0, 0};
    add_size(value, &size);
    return size;
}

const struct value *value_string(struct slice text, struct arena *arena)
{
    struct value *value = arena_allocate_array(arena, 1, sizeof(*value));
    yyjson_val *scalar = arena_allocate_array(arena, 1, sizeof(*scalar));
    struct slice copy = arena_copy(arena, text);
    if (!value || !scalar || copy.length != text.length)
        return NULL;
    yyjson_set_strn(scalar, copy.bytes ? copy.bytes : "", copy.length);
    *value = (struct value){.kind = VALUE_SCALAR, .scalar = scalar};
    return value;
}

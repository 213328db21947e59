#include "apply/merge/custom_values.h"

#include "apply/merge/items.h"
#include "base/array_size.h"
#include "base/digits.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

/* Beyond this, a double does not have every whole number. */
#define EXACT_MAX 9007199254740992.0

static yyjson_val *member_schema(yyjson_val *openapi, struct slice name)
{
    yyjson_val *property = json_member(json_member(openapi, SLICE("properties")), name);
    return property ? property : json_member(openapi, SLICE("additionalProperties"));
}

static bool is_set(yyjson_val *openapi, const char *name)
{
    return yyjson_is_true(json_member(openapi, slice_of(name)));
}

/* A schema of any JSON has no type. */
static bool allows_null(yyjson_val *openapi)
{
    bool has_type = json_member(openapi, SLICE("type")) || is_set(openapi, "x-kubernetes-int-or-string");
    return !has_type || is_set(openapi, "nullable");
}

static yyjson_val *default_of(yyjson_val *openapi)
{
    yyjson_val *preset = json_member(openapi, SLICE("default"));
    return yyjson_is_null(preset) ? NULL : preset;
}

/*
 * Nulls
 */

static const struct value *fill_child(yyjson_val *openapi, const struct value *value, struct arena *arena)
{
    yyjson_val *preset = default_of(openapi);
    if (value->kind == VALUE_NULL && preset && !allows_null(openapi))
        return value_read(preset, arena, &(struct error){0});
    return yyjson_is_obj(openapi) ? custom_fill_nulls(openapi, value, arena) : value;
}

static const struct value *fill_items(yyjson_val *openapi, const struct value *list, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(*items));
    bool is_same = true;
    for (size_t i = 0; items && i < list->count; i++) {
        items[i] = fill_child(json_member(openapi, SLICE("items")), list->items[i], arena);
        if (!items[i])
            return NULL;
        is_same &= items[i] == list->items[i];
    }
    return items && is_same ? list : items ? value_list(items, list->count, arena) : NULL;
}

static const struct value *fill_members(yyjson_val *openapi, const struct value *map, struct arena *arena)
{
    struct value_member *members = arena_allocate_array(arena, map->count, sizeof(*members));
    bool is_same = true;
    for (size_t i = 0; members && i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        members[i] = (struct value_member){
            member->name, fill_child(member_schema(openapi, member->name), member->value, arena)};
        if (!members[i].value)
            return NULL;
        is_same &= members[i].value == member->value;
    }
    return members && is_same ? map : members ? value_map(members, map->count, arena) : NULL;
}

const struct value *custom_fill_nulls(yyjson_val *openapi, const struct value *value, struct arena *arena)
{
    if (value->kind == VALUE_LIST && value->count)
        return fill_items(openapi, value, arena);
    return value->kind == VALUE_MAP && value->count ? fill_members(openapi, value, arena) : value;
}

/*
 * Values that are refused
 */

struct check {
    struct arena *arena;
    custom_visit *visit;
    void *context;
};

/* A value with its schema in both forms, and the live value in its place; NULL: none. */
struct checked {
    yyjson_val *openapi;
    struct schema_ref type;
    const struct value *value;
    const struct value *live;
};

static void check_value(const struct check *check, const struct checked *checked, const struct path *path);

static void refuse(const struct check *check, const struct path *path, const char *problem)
{
    check->visit(check->context, path, problem);
}

static void check_number(
    const struct check *check, yyjson_val *openapi, yyjson_val *scalar, const struct path *path)
{
    yyjson_val *least = json_member(openapi, SLICE("minimum"));
    yyjson_val *most = json_member(openapi, SLICE("maximum"));
    double number = yyjson_get_num(scalar);
    bool is_exact = number < EXACT_MAX && number > -EXACT_MAX;
    bool is_at_least = yyjson_is_num(least) && is_exact && number == yyjson_get_num(least);
    bool is_at_most = yyjson_is_num(most) && is_exact && number == yyjson_get_num(most);
    if ((yyjson_is_num(least) && number < yyjson_get_num(least)) ||
        (is_at_least && is_set(openapi, "exclusiveMinimum")))
        refuse(check, path, "is less than the schema allows");
    if ((yyjson_is_num(most) && number > yyjson_get_num(most)) ||
        (is_at_most && is_set(openapi, "exclusiveMaximum")))
        refuse(check, path, "is more than the schema allows");
    bool is_whole = is_exact ? number == (double)(int64_t)number : true;
    if (!is_whole && slice_equal(json_text(json_member(openapi, SLICE("type"))), SLICE("integer")))
        refuse(check, path, "is not a whole number");
}

static void check_count(
    const struct check *check, yyjson_val *openapi, size_t count, const char *least, const char *most,
    const struct path *path)
{
    yyjson_val *lower = json_member(openapi, slice_of(least)), *upper = json_member(openapi, slice_of(most));
    if (yyjson_is_num(lower) && (double)count < yyjson_get_num(lower))
        refuse(check, path, "is shorter than the schema allows");
    if (yyjson_is_num(upper) && (double)count > yyjson_get_num(upper))
        refuse(check, path, "is longer than the schema allows");
}

static bool is_one_of(yyjson_val *choices, const struct value *value)
{
    json_each_item(choice, choices) {
        const struct value found = {
            .kind = yyjson_is_null(choice) ? VALUE_NULL : VALUE_SCALAR, .scalar = choice};
        if (!yyjson_is_ctn(choice) && value_equal(&found, value))
            return true;
    }
    return false;
}

/* Also of null, where null is allowed. */
static void check_choice(const struct check *check, const struct checked *checked, const struct path *path)
{
    yyjson_val *choices = json_member(checked->openapi, SLICE("enum"));
    if (yyjson_is_arr(choices) && !is_one_of(choices, checked->value))
        refuse(check, path, "is not one of the values that the schema allows");
}

static void check_scalar(const struct check *check, const struct checked *checked, const struct path *path)
{
    yyjson_val *scalar = checked->value->scalar;
    check_choice(check, checked, path);
    if (yyjson_is_num(scalar))
        check_number(check, checked->openapi, scalar, path);
    if (yyjson_is_str(scalar))
        check_count(
            check, checked->openapi, text_character_count(json_text(scalar)), "minLength", "maxLength", path);
}

static bool has_repeats(const struct check *check, struct schema_ref type, const struct value *list)
{
    if (schema_type_of(type)->is_atomic & SCHEMA_LIST)
        return false;
    struct items items = items_of(type, list, check->arena);
    return items.distinct < items.count;
}

/* The API server finds only items with keys again in the live list. */
static void check_items(const struct check *check, const struct checked *checked, const struct path *path)
{
    const struct value *list = checked->value, *live = checked->live;
    bool has_keys = schema_type_of(checked->type)->key_count > 0;
    const struct value **lives =
        items_counterparts(checked->type, list, has_keys ? live : NULL, false, check->arena);
    char number[DIGITS_MAX];
    struct path item = path_below(path);
    item.kind = PATH_INDEX;
    check_count(check, checked->openapi, list->count, "minItems", "maxItems", path);
    if (has_repeats(check, checked->type, list) && !has_repeats(check, checked->type, live))
        refuse(check, path, "has an item twice");
    for (size_t i = 0; lives && i < list->count; i++) {
        item.text = digits_write(i, number);
        check_value(
            check,
            &(struct checked){
                json_member(checked->openapi, SLICE("items")), schema_item(checked->type), list->items[i],
                lives[i]},
            &item);
    }
}

static void require(
    const struct check *check, const struct checked *checked, struct slice name, const struct path *path)
{
    const struct path below = path_member(path, name);
    if (!value_member(checked->value, name) && !default_of(member_schema(checked->openapi, name)))
        refuse(check, &below, "is required");
}

static void check_members(const struct check *check, const struct checked *checked, const struct path *path)
{
    yyjson_val *required = json_member(checked->openapi, SLICE("required"));
    const struct value *map = checked->value;
    check_count(check, checked->openapi, map->count, "minProperties", "maxProperties", path);
    json_each_item(name, required)
        require(check, checked, json_text(name), path);
    if (is_set(checked->openapi, "x-kubernetes-embedded-resource")) {
        require(check, checked, SLICE("apiVersion"), path);
        require(check, checked, SLICE("kind"), path);
    }
    for (size_t i = 0; i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct path below = path_member(path, member->name);
        check_value(
            check,
            &(struct checked){
                member_schema(checked->openapi, member->name), schema_member(checked->type, member->name),
                member->value, value_member(checked->live, member->name)},
            &below);
    }
}

static void check_value(const struct check *check, const struct checked *checked, const struct path *path)
{
    if (!yyjson_is_obj(checked->openapi) || (checked->live && value_equal(checked->live, checked->value)))
        return;
    switch (checked->value->kind) {
    case VALUE_NULL:
        if (!allows_null(checked->openapi))
            refuse(check, path, "is null, which the schema does not allow");
        else
            check_choice(check, checked, path);
        break;
    case VALUE_SCALAR:
        check_scalar(check, checked, path);
        break;
    case VALUE_LIST:
        check_items(check, checked, path);
        break;
    case VALUE_MAP:
        check_members(check, checked, path);
        break;
    }
}

/* Metadata is checked by other rules, and the status of an apply is not stored. */
void custom_check(
    yyjson_val *openapi, struct schema_ref type, const struct value *object, const struct value *live,
    struct arena *arena, custom_visit *visit, void *context)
{
    static const struct slice left_out[] = {SLICE_LITERAL("metadata"), SLICE_LITERAL("status")};
    const struct check check = {arena, visit, context};
    for (size_t i = 0; object && i < ARRAY_SIZE(left_out); i++) {
        object = value_with(object, left_out[i], NULL, arena);
        live = live ? value_with(live, left_out[i], NULL, arena) : NULL;
    }
    if (!object)
        return;
    check_value(&check, &(struct checked){openapi, type, object, live}, NULL);
}

#include "apply/merge/typed.h"

#include "base/digits.h"

struct check {
    typed_visit *visit;
    void *context;
};

static unsigned scalar_of(yyjson_val *scalar)
{
    if (yyjson_is_str(scalar))
        return SCHEMA_STRING;
    return yyjson_is_bool(scalar) ? SCHEMA_BOOLEAN : SCHEMA_NUMBER;
}

static const char *name_of(const struct value *value)
{
    if (value->kind == VALUE_SCALAR)
        return schema_scalars_text(scalar_of(value->scalar));
    return value->kind == VALUE_LIST ? "list" : "map";
}

static bool is_allowed(struct schema_ref type, const struct value *value)
{
    const struct schema_type *of = schema_type_of(type);
    if (value->kind == VALUE_NULL)
        return true;
    if (value->kind == VALUE_SCALAR)
        return of->scalars & scalar_of(value->scalar);
    return of->kinds & (value->kind == VALUE_LIST ? SCHEMA_LIST : SCHEMA_MAP);
}

static void check(
    const struct check *with, struct schema_ref type, const struct value *value, const struct path *path);

static void check_items(
    const struct check *with, struct schema_ref type, const struct value *list, const struct path *path)
{
    char number[DIGITS_MAX];
    struct path item = path_below(path);
    item.kind = PATH_INDEX;
    for (size_t i = 0; i < list->count; i++) {
        item.text = digits_write(i, number);
        check(with, schema_item(type), list->items[i], &item);
    }
}

static void check_members(
    const struct check *with, struct schema_ref type, const struct value *map, const struct path *path)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct path below = path_member(path, member->name);
        check(with, schema_member(type, member->name), member->value, &below);
    }
}

static void check(
    const struct check *with, struct schema_ref type, const struct value *value, const struct path *path)
{
    if (!is_allowed(type, value))
        with->visit(with->context, path, name_of(value), schema_type_text(schema_type_of(type)));
    else if (value->kind == VALUE_LIST)
        check_items(with, type, value, path);
    else if (value->kind == VALUE_MAP)
        check_members(with, type, value, path);
}

void typed_check(struct schema_ref type, const struct value *value, typed_visit *visit, void *context)
{
    check(&(struct check){visit, context}, type, value, NULL);
}

#include "apply/merge/defaults.h"

#include "apply/merge/items.h"
#include "apply/merge/typed.h"

struct filling {
    struct arena *arena;
    struct slice kind;
    const struct schema *builtin;
};

/* A struct that gets its defaults. */
struct filled {
    const struct value *given; /* as it was without them */
    const struct value *live;
    const struct value *value; /* NULL if memory ran out */
    bool is_whole;             /* it lies within one value */
};

static const struct value *fill(
    const struct filling *filling, struct schema_ref type, const struct value *value,
    const struct value *live, bool is_whole);

static bool is_absent(const struct value *value)
{
    return !value || value->kind == VALUE_NULL;
}

/*
 * The map with these members, ascending by name, where it has none of that name. Returns NULL if memory runs
 * out.
 */
static const struct value *united(
    const struct value *map, const struct value_member *added, size_t added_count, struct arena *arena)
{
    size_t count = 0, i = 0, j = 0;
    if (!added_count)
        return map;
    struct value_member *members = arena_allocate_array(arena, map->count + added_count, sizeof(*members));
    while (members && (i < map->count || j < added_count)) {
        int order = i == map->count ? 1
            : j == added_count      ? -1
                                    : slice_compare(map->members[i].name, added[j].name);
        members[count++] = order <= 0 ? map->members[i] : added[j];
        i += order <= 0;
        j += order >= 0;
    }
    return members ? value_map(members, count, arena) : NULL;
}

static void set(struct filled *filled, struct slice member, const struct value *value, struct arena *arena)
{
    filled->value = value && filled->value ? value_with(filled->value, member, value, arena) : NULL;
}

/*
 * Built-in types
 */

/* Whether the tag of an image is latest, which it is if there is neither a tag nor a digest. */
static bool is_latest(struct slice image)
{
    struct slice name = slice_until(image, slice_find(image, '@'));
    bool has_digest = name.length < image.length;
    while (slice_contains(name, '/'))
        name = slice_from(name, slice_find(name, '/') + 1);
    struct slice tag = slice_from(name, slice_find(name, ':') + 1);
    return slice_contains(name, ':') ? slice_equal(tag, SLICE("latest")) : !has_digest && name.length;
}

static bool is_met(const struct builtin_default *row, const struct value *other)
{
    if (!row->when.length)
        return true;
    if (slice_equal(row->is, SLICE("*")))
        return !is_absent(other);
    if (slice_equal(row->is, SLICE("latest")))
        return is_latest(value_text(other));
    return slice_equal(row->is, value_text(other));
}

static bool applies(
    const struct filling *filling, const struct filled *filled, const struct builtin_default *row)
{
    return is_met(row, value_member(filled->given, row->when)) &&
        (!row->kind.length || slice_equal(row->kind, filling->kind));
}

/* Amounts are copied one by one, anything else as a whole. */
static void copy(const struct filling *filling, const struct builtin_default *row, struct filled *filled)
{
    const struct value *from = value_member(filled->value, row->value);
    const struct value *to = value_member(filled->value, row->member);
    if (is_absent(from) || (!is_absent(to) && from->kind != VALUE_MAP))
        return;
    if (is_absent(to))
        set(filled, row->member, from, filling->arena);
    else if (to->kind == VALUE_MAP)
        set(filled, row->member, united(to, from->members, from->count, filling->arena), filling->arena);
}

/* A live object that leaves out an empty default, as one from a file may do, is not given it. */
static bool is_wanted(const struct filled *filled, const struct builtin_default *row)
{
    bool is_empty = slice_equal(row->value, SLICE("{}")) || slice_equal(row->value, SLICE("\"\""));
    return value_member(filled->live, row->member) || (filled->is_whole && !(filled->live && is_empty));
}

/*
 * Go writes null for some empty fields, such as the rules of a Role: a live null that the apply drops is
 * there again.
 */
static void fill_nulls(struct filled *filled, struct arena *arena)
{
    size_t count = filled->live && filled->live->kind == VALUE_MAP ? filled->live->count : 0, nulls = 0;
    for (size_t i = 0; i < count; i++)
        nulls += filled->live->members[i].value->kind == VALUE_NULL;
    if (!nulls)
        return;
    struct value_member *members = arena_allocate_array(arena, nulls, sizeof(*members));
    nulls = 0;
    for (size_t i = 0; members && i < count; i++)
        if (filled->live->members[i].value->kind == VALUE_NULL)
            members[nulls++] = filled->live->members[i];
    filled->value = members && filled->value ? united(filled->value, members, nulls, arena) : NULL;
}

static void fill_builtin(const struct filling *filling, struct schema_ref type, struct filled *filled)
{
    const struct builtin_defaults rows = defaults_of_builtin(type);
    struct slice done = {NULL, 0};
    for (size_t i = 0; filled->value && i < rows.count; i++) {
        const struct builtin_default row = defaults_builtin_at(rows.first + i);
        if (!is_wanted(filled, &row) || slice_equal(done, row.member) || !applies(filling, filled, &row))
            continue;
        if (row.is_copied) {
            copy(filling, &row, filled);
            continue;
        }
        done = row.member;
        if (row.value.length && is_absent(value_member(filled->value, row.member)))
            set(filled, row.member, value_read_json(row.value, filling->arena), filling->arena);
    }
}

/*
 * Custom resources
 */

/* The default of a field; returns NULL if memory runs out. */
static const struct value *preset_of(
    const struct filling *filling, struct schema_ref type, const struct schema_field *field,
    const struct value *live)
{
    const struct value *preset = value_read_json(schema_name_of(type.schema, field->preset), filling->arena);
    return preset ? fill(filling, (struct schema_ref){type.schema, field->type}, preset, live, true) : NULL;
}

static void fill_custom(const struct filling *filling, struct schema_ref type, struct filled *filled)
{
    const struct schema_type *own = schema_type_of(type);
    struct value_member *members =
        arena_allocate_array(filling->arena, (size_t)own->field_count + 1, sizeof(*members));
    size_t count = 0;
    for (size_t i = 0; members && filled->value && i < own->field_count; i++) {
        const struct schema_field *field = &type.schema->fields[own->first_field + i];
        struct slice name = schema_name_of(type.schema, field->name);
        const struct value *live = value_member(filled->live, name);
        if (!field->preset || value_member(filled->given, name) || !(filled->is_whole || live))
            continue;
        members[count] = (struct value_member){name, preset_of(filling, type, field, live)};
        if (!members[count++].value)
            members = NULL;
    }
    filled->value = members && filled->value ? united(filled->value, members, count, filling->arena) : NULL;
}

/*
 * Any
 */

static const struct value *fill_map(
    const struct filling *filling, struct schema_ref type, const struct value *map, const struct value *live,
    bool is_whole)
{
    struct value_member *members = arena_allocate_array(filling->arena, map->count + 1, sizeof(*members));
    bool has_changed = false;
    for (size_t i = 0; members && i < map->count; i++) {
        struct slice name = map->members[i].name;
        members[i] = map->members[i];
        members[i].value = fill(
            filling, schema_member(type, name), map->members[i].value, value_member(live, name), is_whole);
        if (!members[i].value)
            return NULL;
        has_changed |= members[i].value != map->members[i].value;
    }
    struct filled filled = {.given = map, .live = live, .value = map, .is_whole = is_whole};
    if (!members || has_changed)
        filled.value = members ? value_map(members, map->count, filling->arena) : NULL;
    if (type.schema != filling->builtin) {
        fill_custom(filling, type, &filled);
        return filled.value;
    }
    fill_builtin(filling, type, &filled);
    fill_nulls(&filled, filling->arena);
    return filled.value;
}

static const struct value *fill_list(
    const struct filling *filling, struct schema_ref type, const struct value *list, const struct value *live,
    bool is_whole)
{
    const struct value **live_items = items_counterparts(type, list, live, is_whole, filling->arena);
    const struct value **filled = arena_allocate_array(filling->arena, list->count + 1, sizeof(*filled));
    bool has_changed = false;
    if (!live_items || !filled)
        return NULL;
    for (size_t i = 0; i < list->count; i++) {
        filled[i] = fill(filling, schema_item(type), list->items[i], live_items[i], is_whole);
        if (!filled[i])
            return NULL;
        has_changed |= filled[i] != list->items[i];
    }
    return has_changed ? value_list(filled, list->count, filling->arena) : list;
}

/*
 * An item or map that the live object does not have is shown as it is declared, without its defaults. One
 * that stays as it is has them.
 */
static const struct value *fill(
    const struct filling *filling, struct schema_ref type, const struct value *value,
    const struct value *live, bool is_whole)
{
    unsigned form = typed_form(type, value);
    bool is_container = (value->kind == VALUE_MAP && form == SCHEMA_MAP) ||
        (value->kind == VALUE_LIST && form == SCHEMA_LIST);
    if (!is_container || value == live || type.type == SCHEMA_DEDUCED || (!is_whole && !live))
        return value;
    if (!is_whole && (schema_type_of(type)->is_atomic & form)) {
        if (value_equal(value, live))
            return value;
        is_whole = true;
    }
    return form == SCHEMA_MAP ? fill_map(filling, type, value, live, is_whole)
                              : fill_list(filling, type, value, live, is_whole);
}

static const struct value *fill_object(
    struct schema_ref type, const struct value *object, const struct value *live, struct slice kind,
    bool is_whole, struct arena *arena)
{
    struct schema_ref builtin;
    schema_find_builtin(SLICE("v1"), SLICE("ConfigMap"), &builtin);
    const struct filling filling = {arena, kind, builtin.schema};
    return fill(&filling, type, object, live, is_whole);
}

const struct value *defaults_fill(
    struct schema_ref type, const struct value *object, const struct value *live, struct slice kind,
    struct arena *arena)
{
    return fill_object(type, object, live, kind, false, arena);
}

const struct value *defaults_fill_all(struct schema_ref type, const struct value *object, struct arena *arena)
{
    return fill_object(type, object, NULL, (struct slice){NULL, 0}, true, arena);
}

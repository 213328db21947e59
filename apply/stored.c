#include "apply/stored.h"

#include "apply/merge/custom_nulls.h"
#include "apply/merge/defaults.h"
#include "apply/merge/element.h"
#include "apply/merge/items.h"
#include "apply/merge/typed.h"
#include "base/array_size.h"
#include "base/base64.h"
#include "base/quantity.h"

static bool is_secret(const struct value *object)
{
    return slice_equal(value_text(value_member(object, SLICE("apiVersion"))), SLICE("v1")) &&
        slice_equal(value_text(value_member(object, SLICE("kind"))), SLICE("Secret"));
}

/*
 * Secrets (pkg/apis/core/v1/conversion.go, defaults.go)
 */

static const struct value *base64_value(struct slice plain, struct arena *arena)
{
    struct text text = text_start(arena, plain.length * 2);
    base64_append(&text, plain);
    struct slice encoded = text_slice(&text);
    return encoded.bytes ? value_string(encoded, arena) : NULL;
}

/* A member of stringData replaces one of data. Either may be NULL, or another kind of value. */
static const struct value *unite(const struct value *plain, const struct value *data, struct arena *arena)
{
    size_t plain_count = plain && plain->kind == VALUE_MAP ? plain->count : 0, i = 0, j = 0, count = 0;
    size_t data_count = data && data->kind == VALUE_MAP ? data->count : 0;
    struct value_member *members =
        arena_allocate_array(arena, plain_count + data_count + 1, sizeof(*members));
    while (members && (i < plain_count || j < data_count)) {
        int order = i == plain_count ? 1
            : j == data_count        ? -1
                                     : slice_compare(plain->members[i].name, data->members[j].name);
        members[count] = order > 0 ? data->members[j] : plain->members[i];
        if (order <= 0)
            members[count].value = base64_value(value_text(plain->members[i].value), arena);
        if (!members[count++].value)
            return NULL;
        i += order <= 0;
        j += order >= 0;
    }
    return members ? value_map(members, count, arena) : NULL;
}

const struct value *stored_string_data(
    const struct attempt *attempt, const struct value *object, struct arena *arena)
{
    const struct value *plain =
        is_secret(attempt->manifest) ? value_member(object, SLICE("stringData")) : NULL;
    if (!plain)
        return object;
    const struct value *data = unite(plain, value_member(object, SLICE("data")), arena);
    object = data ? value_with(object, SLICE("stringData"), NULL, arena) : NULL;
    return object && data->count ? value_with(object, SLICE("data"), data, arena) : object;
}

/* An empty type is the default one. */
static const struct value *store_secret_type(const struct value *secret, struct arena *arena)
{
    const struct value *type = value_member(secret, SLICE("type"));
    if (!type || value_text(type).length)
        return secret;
    type = value_string(SLICE("Opaque"), arena);
    return type ? value_with(secret, SLICE("type"), type, arena) : NULL;
}

/*
 * Omitted fields
 */

/* Every object has these fields, even an embedded one, independent of its schema. */
static bool is_of_every_object(struct slice name)
{
    static const char *const names[] = {"apiVersion", "kind", "metadata"};
    return slice_is_one_of(name, names, ARRAY_SIZE(names));
}

static bool is_unknown(
    struct schema_ref type, const struct schema_field *field, const struct value_member *member)
{
    return !schema_type_of(type)->is_open && !field && !is_of_every_object(member->name);
}

/* The members of the object that its type does not have, nor the live object. */
static const struct field_set *unknown_fields(
    const struct attempt *attempt, const struct value *object, const struct value *live, struct arena *arena)
{
    const struct field_set *members = typed_members(attempt->type, object, is_unknown, arena);
    return members->count
        ? field_set_difference(members, typed_members(attempt->type, live, is_unknown, arena), arena)
        : members;
}

/* "", 0 or false, or an empty list or map. */
static bool is_zero(const struct value *value)
{
    yyjson_val *scalar = value->kind == VALUE_SCALAR ? value->scalar : NULL;
    return value_is_empty(value) || yyjson_is_false(scalar) ||
        (yyjson_is_str(scalar) && !yyjson_get_len(scalar)) ||
        (yyjson_is_num(scalar) && yyjson_get_num(scalar) == 0);
}

/* A member of a map of the type `parent`. */
struct member {
    struct schema_ref parent;
    struct schema_ref type;
    bool has_one_form; /* it is a field; other members may contain any JSON, which stays unchanged */
    struct slice name;
    const struct value *value;
    const struct value *live; /* the live object's value, if it is known; otherwise NULL */
};

static struct member member_of(
    struct schema_ref parent, const struct value_member *member, const struct value *live)
{
    const struct schema_field *field = schema_field_of(parent, member->name);
    struct schema_ref type = schema_of_field(parent, field);
    unsigned kinds = schema_type_of(type)->kinds;
    bool has_one_form = field && (kinds & (kinds - 1)) == 0;
    return (struct member){parent,       type,          has_one_form,
                           member->name, member->value, value_member(live, member->name)};
}

static bool is_list(const struct member *member)
{
    return schema_type_of(member->type)->kinds == SCHEMA_LIST;
}

/* A live object with a void member comes from an older API server, or from a person. */
static bool stays(const struct member *member)
{
    const struct value *live = member->live;
    return live &&
        (value_equal(live, member->value) || (live->kind == VALUE_NULL && value_is_empty(member->value)));
}

/* Whether the API server leaves the member out (omitempty in Go). */
static bool is_left_out(const struct member *member)
{
    if (!member->has_one_form || !is_zero(member->value) || stays(member))
        return false;
    return defaults_omit_zero(member->parent, member->name) ||
        (member->value->kind == VALUE_NULL && !is_list(member));
}

/*
 * Kubernetes' own types
 */

struct storing {
    struct arena *arena;
    bool is_builtin;
};

/* For pods: two fields have one value, and the newer one takes precedence. */
static const struct value *store_service_account(
    struct schema_ref type, const struct value *pod, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("serviceAccountName");
    static const struct slice old_name = SLICE_LITERAL("serviceAccount");
    const struct value *account = value_member(pod, name);
    if (!schema_field_of(type, name) || !schema_field_of(type, old_name))
        return pod;
    if (!value_text(account).length)
        account = value_member(pod, old_name);
    if (!value_text(account).length)
        return pod;
    pod = value_with(pod, name, account, arena);
    return pod ? value_with(pod, old_name, account, arena) : NULL;
}

/* Stores a quantity in canonical form. Other values stay as they are; null counts as 0. */
static const struct value *store_quantity(const struct value *value, struct arena *arena)
{
    char canonical[QUANTITY_TEXT_BYTES];
    struct text number = text_start(arena, 32);
    struct slice written = value->kind == VALUE_NULL ? SLICE("0") : value_text(value);
    if (value->kind == VALUE_SCALAR && yyjson_is_num(value->scalar)) {
        value_append_json(&number, value);
        written = text_slice(&number);
    }
    size_t length = quantity_canonical(written, canonical);
    bool is_same = !length || slice_equal(value_text(value), (struct slice){canonical, length});
    return is_same ? value : value_string((struct slice){canonical, length}, arena);
}

static const struct value *store_quantities(const struct value *map, struct arena *arena)
{
    struct value_member *members = arena_allocate_array(arena, map->count + 1, sizeof(*members));
    for (size_t i = 0; members && i < map->count; i++) {
        members[i] = map->members[i];
        members[i].value = store_quantity(members[i].value, arena);
        if (!members[i].value)
            return NULL;
    }
    return members ? value_map(members, map->count, arena) : NULL;
}

/* `live`: the live object's value, if it is known; otherwise NULL. */
static const struct value *store(
    const struct storing *storing, struct schema_ref type, const struct value *value,
    const struct value *live, const struct field_set *left_out);

/*
 * Stores an item of a list, or a member of a map that is not a struct: in Go, a null among strings is an
 * empty string.
 */
static const struct value *store_part(
    const struct storing *storing, struct schema_ref type, const struct value *value,
    const struct value *live, const struct field_set *left_out)
{
    const struct schema_type *own = schema_type_of(type);
    if (storing->is_builtin && value->kind == VALUE_NULL && own->kinds == SCHEMA_SCALAR &&
        own->scalars == SCHEMA_STRING)
        return value_string(SLICE(""), storing->arena);
    return store(storing, type, value, live, left_out);
}

/*
 * A list that Go never omits, such as a Role's rules: the API server's storage has no empty lists, and Go
 * writes null. Returns NULL if the member is something else.
 */
static const struct value *store_empty(const struct member *member)
{
    const struct value *live = member->live;
    if (!value_is_empty(member->value))
        return NULL;
    if (live && live->kind == VALUE_NULL)
        return live;
    return is_list(member) && !(live && value_equal(live, member->value)) ? &value_null : NULL;
}

static const struct value *store_member(
    const struct storing *storing, const struct member *member, const struct field_set *left_out)
{
    bool is_field = storing->is_builtin && member->has_one_form;
    enum quantity_form form = is_field ? defaults_quantity_form(member->parent, member->name) : QUANTITY_NONE;
    const struct value *empty = is_field ? store_empty(member) : NULL;
    if (empty)
        return empty;
    if (form == QUANTITY_MAP && member->value->kind == VALUE_MAP)
        return store_quantities(member->value, storing->arena);
    if (form == QUANTITY_ONE)
        return store_quantity(member->value, storing->arena);
    return is_field ? store(storing, member->type, member->value, member->live, left_out)
                    : store_part(storing, member->type, member->value, member->live, left_out);
}

static const struct value *store_map(
    const struct storing *storing, struct schema_ref type, const struct value *map, const struct value *live,
    const struct field_set *left_out)
{
    struct arena *arena = storing->arena;
    struct arena_mark start = arena_mark(arena);
    struct value_member *members = arena_allocate_array(arena, map->count + 1, sizeof(*members));
    size_t count = 0, kept = 0;
    for (size_t i = 0; members && i < map->count; i++) {
        const struct member member = member_of(type, &map->members[i], live);
        const struct field_node *node =
            left_out->count ? field_set_find(left_out, element_of_member(member.name, arena)) : NULL;
        if ((node && node->is_member) || (storing->is_builtin && is_left_out(&member)))
            continue;
        members[count].name = member.name;
        members[count].value = store_member(storing, &member, node ? node->below : &field_set_empty);
        if (!members[count].value)
            return NULL;
        kept += members[count++].value == member.value;
    }
    const struct value *stored = map;
    if (members && kept == map->count)
        arena_rewind(arena, start);
    else
        stored = members ? value_map(members, count, arena) : NULL;
    return stored && storing->is_builtin ? store_service_account(type, stored, arena) : stored;
}

static const struct value *store_list(
    const struct storing *storing, struct schema_ref type, const struct value *list, const struct value *live,
    const struct field_set *left_out)
{
    struct arena *arena = storing->arena;
    struct arena_mark start = arena_mark(arena);
    const struct value **live_items =
        items_counterparts(type, list, live, schema_type_of(type)->is_atomic & SCHEMA_LIST, arena);
    const struct value **items = arena_allocate_array(arena, list->count + 1, sizeof(*items));
    size_t kept = 0;
    for (size_t i = 0; live_items && items && i < list->count; i++) {
        struct slice element;
        const struct field_node *node = NULL;
        if (left_out->count && !element_of_item(type, list, i, arena, &element))
            node = field_set_find(left_out, element);
        items[i] = store_part(
            storing, schema_item(type), list->items[i], live_items[i], node ? node->below : &field_set_empty);
        if (!items[i])
            return NULL;
        kept += items[i] == list->items[i];
    }
    if (live_items && items && kept == list->count) {
        arena_rewind(arena, start);
        return list;
    }
    return live_items && items ? value_list(items, list->count, arena) : NULL;
}

/* A part of the live object is stored already. */
static const struct value *store(
    const struct storing *storing, struct schema_ref type, const struct value *value,
    const struct value *live, const struct field_set *left_out)
{
    if (value == live)
        return value;
    if (value->kind == VALUE_MAP)
        return store_map(storing, type, value, live, left_out);
    return value->kind == VALUE_LIST ? store_list(storing, type, value, live, left_out) : value;
}

/*
 * The whole object
 */

static bool is_builtin(const struct attempt *attempt)
{
    struct schema_ref type;
    return schema_find_builtin(
        value_text(value_member(attempt->manifest, SLICE("apiVersion"))),
        value_text(value_member(attempt->manifest, SLICE("kind"))), &type);
}

/* Every object has the same metadata. */
static const struct value *store_metadata(
    const struct value *object, const struct value *live, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("metadata");
    const struct storing storing = {arena, true};
    const struct value *metadata = value_member(object, name);
    struct schema_ref type;
    schema_find_builtin(SLICE("v1"), SLICE("ConfigMap"), &type);
    if (!metadata)
        return object;
    metadata =
        store(&storing, schema_member(type, name), metadata, value_member(live, name), &field_set_empty);
    return metadata ? value_with(object, name, metadata, arena) : NULL;
}

const struct value *stored_object(
    const struct attempt *attempt, const struct value *object, struct arena *arena,
    const struct field_set **unknown)
{
    const struct value *live = attempt->live ? attempt->live->object : NULL;
    const struct storing storing = {arena, is_builtin(attempt)};
    object = stored_string_data(attempt, object, arena);
    if (object && is_secret(attempt->manifest))
        object = store_secret_type(object, arena);
    if (object && attempt->openapi)
        object = custom_fill_nulls(attempt->openapi, object, arena);
    if (!object)
        return NULL;
    *unknown = unknown_fields(attempt, object, live, arena);
    object = store(&storing, attempt->type, object, live, *unknown);
    return object && !storing.is_builtin ? store_metadata(object, live, arena) : object;
}

const struct field_set *stored_fields(
    const struct value *object, const struct field_set *fields, struct arena *arena)
{
    const struct field_node *plain = is_secret(object) ? field_set_find(fields, SLICE("f:stringData")) : NULL;
    struct field_node *data = plain ? arena_allocate_array(arena, 1, sizeof(*data)) : NULL;
    if (!data)
        return fields;
    *data = (struct field_node){SLICE("f:data"), plain->below, plain->is_member};
    return field_set_union(fields, field_set_of(data, 1, arena), arena);
}

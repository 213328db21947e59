#include "preview/stored.h"

#include "base/count.h"
#include "base/quantity.h"
#include "merge/typed.h"
#include "preview/text_value.h"

static bool is_secret(const struct attempt *attempt)
{
    return slice_equal(value_text(value_member(attempt->manifest, SLICE("apiVersion"))), SLICE("v1")) &&
        slice_equal(value_text(value_member(attempt->manifest, SLICE("kind"))), SLICE("Secret"));
}

/*
 * Secrets (pkg/apis/core/v1/conversion.go, defaults.go)
 */

static const struct value *base64_value(struct slice plain, struct arena *arena)
{
    struct text text = text_start(arena, plain.length * 2);
    append_base64(&text, plain);
    struct slice encoded = text_slice(&text);
    return encoded.bytes ? text_value(encoded, arena) : NULL;
}

/* What stringData has goes before what data has. */
static const struct value *store_secret(const struct value *secret, struct arena *arena)
{
    const struct value *plain = value_member(secret, SLICE("stringData"));
    const struct value *data = value_member(secret, SLICE("data"));
    const struct value *type = value_member(secret, SLICE("type"));
    data = data && data->kind == VALUE_MAP ? data : &value_empty_map;
    for (size_t i = 0; plain && plain->kind == VALUE_MAP && i < plain->count && data; i++) {
        const struct value *encoded = base64_value(value_text(plain->members[i].value), arena);
        data = encoded ? value_with(data, plain->members[i].name, encoded, arena) : NULL;
    }
    if (plain && data)
        secret = value_with(secret, SLICE("stringData"), NULL, arena);
    if (plain && data && data->count && secret)
        secret = value_with(secret, SLICE("data"), data, arena);
    if (type && !value_text(type).length && secret)
        secret = value_with(secret, SLICE("type"), text_value(SLICE("Opaque"), arena), arena);
    return data ? secret : NULL;
}

/*
 * Kubernetes' other types
 */

/* Of pods: two fields of one value, of which the newer one goes first. */
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

/* Something that is no quantity as it is. */
static const struct value *store_quantity(const struct value *value, struct arena *arena)
{
    char canonical[QUANTITY_TEXT_BYTES];
    struct text number = text_start(arena, 32);
    struct slice written = value_text(value);
    if (value->kind == VALUE_SCALAR && yyjson_is_num(value->scalar)) {
        value_append_json(&number, value);
        written = text_slice(&number);
    }
    size_t length = quantity_canonical(written, canonical);
    bool is_same = !length || slice_equal(value_text(value), (struct slice){canonical, length});
    return is_same ? value : text_value((struct slice){canonical, length}, arena);
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

static const struct value *store(struct schema_ref type, const struct value *value, struct arena *arena);

/* The schema does not tell quantities from texts: their fields are known by their names. */
static const struct value *store_member(
    struct schema_ref type, const struct value_member *member, struct arena *arena)
{
    static const char *const maps[] = {"capacity", "hard", "limits", "overhead", "podFixed", "requests"};
    static const char *const scalars[] = {"averageValue", "sizeLimit"};
    bool is_field = schema_field_of(type, member->name) != NULL;
    if (is_field && member->value->kind == VALUE_MAP && slice_is_one_of(member->name, maps, COUNT(maps)))
        return store_quantities(member->value, arena);
    if (is_field && slice_is_one_of(member->name, scalars, COUNT(scalars)))
        return store_quantity(member->value, arena);
    return store(schema_member(type, member->name), member->value, arena);
}

static const struct value *store_map(struct schema_ref type, const struct value *map, struct arena *arena)
{
    struct value_member *members = arena_allocate_array(arena, map->count + 1, sizeof(*members));
    for (size_t i = 0; members && i < map->count; i++) {
        members[i] = map->members[i];
        members[i].value = store_member(type, &map->members[i], arena);
        if (!members[i].value)
            return NULL;
    }
    const struct value *stored = members ? value_map(members, map->count, arena) : NULL;
    return stored ? store_service_account(type, stored, arena) : NULL;
}

static const struct value *store_list(struct schema_ref type, const struct value *list, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count + 1, sizeof(*items));
    for (size_t i = 0; items && i < list->count; i++) {
        items[i] = store(schema_item(type), list->items[i], arena);
        if (!items[i])
            return NULL;
    }
    return items ? value_list(items, list->count, arena) : NULL;
}

static const struct value *store(struct schema_ref type, const struct value *value, struct arena *arena)
{
    if (value->kind == VALUE_MAP)
        return store_map(type, value, arena);
    return value->kind == VALUE_LIST ? store_list(type, value, arena) : value;
}

/*
 * All of it
 */

const struct value *stored_object(
    const struct attempt *attempt, const struct value *object, struct arena *arena,
    const struct field_set **unknown)
{
    struct schema_ref type;
    struct slice api_version = value_text(value_member(attempt->manifest, SLICE("apiVersion")));
    struct slice kind = value_text(value_member(attempt->manifest, SLICE("kind")));
    const struct value *live = attempt->live ? attempt->live->object : NULL;
    if (is_secret(attempt))
        object = store_secret(object, arena);
    if (object && schema_find_builtin(api_version, kind, &type))
        object = store(type, object, arena);
    if (!object)
        return NULL;
    *unknown = field_set_difference(
        typed_unknown(attempt->type, object, arena), typed_unknown(attempt->type, live, arena), arena);
    return (*unknown)->count ? typed_remove(attempt->type, object, *unknown, arena) : object;
}

const struct field_set *stored_fields(
    const struct attempt *attempt, const struct field_set *fields, struct arena *arena)
{
    const struct field_node *plain =
        is_secret(attempt) ? field_set_find(fields, SLICE("f:stringData")) : NULL;
    struct field_node *data = plain ? arena_allocate_array(arena, 1, sizeof(*data)) : NULL;
    if (!data)
        return fields;
    *data = (struct field_node){SLICE("f:data"), plain->below, plain->is_member};
    return field_set_union(fields, field_set_of(data, 1, arena), arena);
}

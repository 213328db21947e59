#include "apply/entries.h"

#include "base/json_append.h"
#include "manifest/json_value.h"

bool owners_is_written_by(
    const struct owner_entry *entry, const struct manager *manager, struct slice api_version)
{
    return manager_equal(&entry->manager, manager) &&
        (manager->operation == MANAGER_APPLY || slice_equal(entry->api_version, api_version));
}

struct slice owners_time(int64_t seconds, struct arena *arena)
{
    struct text text = text_start(arena, 32);
    text_append_time(&text, seconds);
    return text_slice(&text);
}

/* The members of an entry other than its fields take about as much. */
#define ENTRY_VALUES 16
#define ENTRY_BYTES 256

static void build_entry(struct json_build *build, const struct owner_entry *entry)
{
    size_t position = json_build_open(build, YYJSON_TYPE_OBJ);
    json_build_member(build, SLICE("manager"), entry->manager.name);
    json_build_member(build, SLICE("operation"), slice_of(manager_operation_name(entry->manager.operation)));
    json_build_member(build, SLICE("apiVersion"), entry->api_version);
    if (entry->time.length)
        json_build_member(build, SLICE("time"), entry->time);
    json_build_member(build, SLICE("fieldsType"), SLICE("FieldsV1"));
    json_build_string(build, SLICE("fieldsV1"));
    field_set_build(build, entry->fields);
    if (entry->manager.subresource.length)
        json_build_member(build, SLICE("subresource"), entry->manager.subresource);
    json_build_close(build, position);
}

void owners_append_entry(struct text *text, const struct owner_entry *entry)
{
    struct json_build build = json_build_start(text->arena, ENTRY_VALUES, ENTRY_BYTES);
    build_entry(&build, entry);
    json_append_value(text, json_build_finish(&build));
}

static void build_entries(struct json_build *build, const struct owner_entry *entries, size_t count)
{
    json_build_string(build, SLICE("managedFields"));
    size_t list = json_build_open(build, YYJSON_TYPE_ARR);
    for (size_t i = 0; i < count; i++)
        build_entry(build, &entries[i]);
    json_build_close(build, list);
}

/* Copies all members of a map but one. */
static void build_members_but(
    struct json_build *build, const struct manifest_node *map, struct slice left_out)
{
    for (size_t i = 0; i < (map && map->kind == MANIFEST_MAP ? map->count : 0); i++) {
        if (slice_equal(map->members[i].key, left_out))
            continue;
        json_build_string(build, map->members[i].key);
        manifest_build(build, map->members[i].value);
    }
}

struct owner_list {
    const struct owner_entry *entries;
    size_t count;
};

/* `owners` is NULL for an object without managedFields. */
static yyjson_val *build_object(
    const struct manifest_node *object, const struct owner_list *owners, struct arena *arena)
{
    /* An owned field is about as long as its key and value. */
    const size_t parts = owners ? 2 : 1;
    struct json_build build =
        json_build_start(arena, object->nodes * parts, (object->text_bytes + object->nodes) * parts);
    size_t root = json_build_open(&build, YYJSON_TYPE_OBJ);
    build_members_but(&build, object, SLICE("metadata"));
    json_build_string(&build, SLICE("metadata"));
    size_t metadata = json_build_open(&build, YYJSON_TYPE_OBJ);
    build_members_but(&build, manifest_member(object, SLICE("metadata")), SLICE("managedFields"));
    if (owners)
        build_entries(&build, owners->entries, owners->count);
    json_build_close(&build, metadata);
    json_build_close(&build, root);
    return json_build_finish(&build);
}

yyjson_val *owners_build_object(
    const struct manifest_node *object, const struct owner_entry *entries, size_t count, struct arena *arena)
{
    const struct owner_list owners = {entries, count};
    return build_object(object, &owners, arena);
}

yyjson_val *owners_build_without(const struct manifest_node *object, struct arena *arena)
{
    return build_object(object, NULL, arena);
}

static void build_member(struct json_build *build, const struct value_member *member)
{
    json_build_string(build, member->name);
    value_build(build, member->value);
}

/*
 * Writes the members in order, and the entries at their place. `metadata` may be NULL, or another kind of
 * value.
 */
static void build_metadata(
    struct json_build *build, const struct value *metadata, const struct owner_entry *entries, size_t count)
{
    static const struct slice name = SLICE_LITERAL("managedFields");
    size_t i = 0, members = metadata && metadata->kind == VALUE_MAP ? metadata->count : 0;
    size_t position = json_build_open(build, YYJSON_TYPE_OBJ);
    for (; i < members && slice_compare(metadata->members[i].name, name) < 0; i++)
        build_member(build, &metadata->members[i]);
    build_entries(build, entries, count);
    for (; i < members; i++) {
        if (!slice_equal(metadata->members[i].name, name))
            build_member(build, &metadata->members[i]);
    }
    json_build_close(build, position);
}

/* Adds the size of a set as FieldsV1. */
static void add_fields(struct value_size *size, const struct field_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct field_node *node = &set->nodes[i];
        bool has_dot = node->is_member && node->below->count;
        size->values += has_dot ? 4 : 2;
        size->string_bytes += node->element.length + (has_dot ? sizeof(".") + 1 : 1);
        add_fields(size, node->below);
    }
}

yyjson_val *owners_build_value(
    const struct value *object, const struct owner_entry *entries, size_t count, struct arena *arena)
{
    struct value_size size = value_size(object);
    for (size_t i = 0; i < count; i++) {
        size.values += ENTRY_VALUES;
        size.string_bytes += ENTRY_BYTES;
        add_fields(&size, entries[i].fields);
    }
    struct json_build build = json_build_start(arena, size.values, size.string_bytes);
    size_t root = json_build_open(&build, YYJSON_TYPE_OBJ);
    for (size_t i = 0; i < object->count; i++) {
        const struct value_member *member = &object->members[i];
        if (!slice_equal(member->name, SLICE("metadata"))) {
            build_member(&build, member);
            continue;
        }
        json_build_string(&build, member->name);
        build_metadata(&build, member->value, entries, count);
    }
    json_build_close(&build, root);
    return json_build_finish(&build);
}

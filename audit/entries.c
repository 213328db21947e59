#include "audit/entries.h"

#include "base/array_size.h"
#include "base/json_each.h"

/* Real objects have fewer entries. */
#define ENTRIES_MAX 256

struct members {
    yyjson_val *manager, *operation, *version, *time, *fields, *subresource;
};

static struct audit_entry read_entry(yyjson_val *json)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("manager", struct members, manager),
        JSON_WANTED("operation", struct members, operation),
        JSON_WANTED("apiVersion", struct members, version),
        JSON_WANTED("time", struct members, time),
        JSON_WANTED("fieldsV1", struct members, fields),
        JSON_WANTED("subresource", struct members, subresource),
    };
    struct members found = {0};
    json_members(json, wanted, ARRAY_SIZE(wanted), &found);
    return (struct audit_entry){
        .manager = json_text(found.manager),
        .subresource = json_text(found.subresource),
        .version = json_text(found.version),
        .time = json_text(found.time),
        .fields = found.fields,
        .is_apply = slice_equal(json_text(found.operation), SLICE("Apply")),
        .is_update = slice_equal(json_text(found.operation), SLICE("Update")),
    };
}

static bool read_list(yyjson_val *list, struct arena *arena, struct audit_entry_list *entries)
{
    entries->items = arena_allocate_array(arena, yyjson_arr_size(list) + 1, sizeof(*entries->items));
    if (!entries->items)
        return false;
    json_each_item(json, list)
        entries->items[entries->count++] = read_entry(json);
    return true;
}

static bool is_same_owner(const struct audit_entry *a, const struct audit_entry *b)
{
    return slice_equal(a->manager, b->manager) && a->is_apply == b->is_apply &&
        a->is_update == b->is_update && slice_equal(a->subresource, b->subresource) &&
        (a->is_apply || slice_equal(a->version, b->version));
}

static void pair(struct audit_entry *entry, struct audit_entry *other, bool is_same)
{
    if (!entry->other)
        entry->other = other;
    if (!other->other)
        other->other = entry;
    entry->is_same |= is_same;
    other->is_same |= is_same;
}

static void pair_all(struct audit_entries *entries, yyjson_val *old, yyjson_val *new)
{
    json_each_item(json, new) {
        json_each_item(other_json, old) {
            struct audit_entry *entry = &entries->after.items[json_position(json)];
            struct audit_entry *other = &entries->before.items[json_position(other_json)];
            if (is_same_owner(entry, other))
                pair(entry, other, json_identical(json, other_json));
        }
    }
}

bool audit_entries_read(
    yyjson_val *before, yyjson_val *after, struct arena *arena, struct audit_entries *entries)
{
    yyjson_val *old = json_metadata(before, SLICE("managedFields"));
    yyjson_val *new = json_metadata(after, SLICE("managedFields"));
    *entries = (struct audit_entries){0};
    entries->are_too_many = yyjson_arr_size(old) > ENTRIES_MAX || yyjson_arr_size(new) > ENTRIES_MAX;
    if (entries->are_too_many)
        return true;
    if (!read_list(old, arena, &entries->before) || !read_list(new, arena, &entries->after))
        return false;
    pair_all(entries, old, new);
    return true;
}

bool audit_entry_is_of(const struct audit_entry *entry, const char *manager)
{
    return slice_equal(entry->manager, slice_of(manager));
}

#include "audit/moved.h"

#include "audit/field_value.h"
#include "audit/mutation.h"
#include "audit/written.h"
#include "base/json.h"
#include "base/json_each.h"

/* The limit of the comparison, which takes quadratic time. */
#define FIELDS_MAX 1024

/*
 * Fields
 */

static bool is_large(yyjson_val *value)
{
    return yyjson_is_ctn(value) && yyjson_get_len(value) > FIELDS_MAX;
}

static bool is_leaf(yyjson_val *fields)
{
    return yyjson_obj_size(fields) == 0;
}

/* The API server sets defaults in these after it has compared owners: each write takes them. */
static bool is_always_taken(struct slice field)
{
    return slice_equal(field, SLICE("f:volumeClaimTemplates"));
}

/* Whether a field is in the first set alone, and its value is the same before and after. */
static bool has_unchanged(
    yyjson_val *fields, yyjson_val *others, yyjson_val *before, yyjson_val *after, int depth,
    struct arena *arena)
{
    if (!before || !after || depth == JSON_DEPTH_MAX || json_identical(fields, others) || is_large(fields) ||
        is_large(others) || is_large(before) || is_large(after))
        return false;
    json_each_key(key, fields) {
        yyjson_val *inner = yyjson_obj_iter_get_val(key);
        struct slice name = json_text(key);
        yyjson_val *other = json_member(others, name);
        if ((other && is_leaf(inner)) || json_identical(inner, other) || slice_equal(name, SLICE(".")))
            continue;
        yyjson_val *old = audit_field_value(before, name, arena),
                   *new = audit_field_value(after, name, arena);
        if (is_leaf(inner) ? old && !is_always_taken(name) && json_equal(old, new, arena)
                           : has_unchanged(inner, other, old, new, depth + 1, arena))
            return true;
    }
    return false;
}

/*
 * Entries
 */

/* The API server joins the entries of many managers in this one. */
static bool has_joined_entries(const struct audit_entry_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (audit_entry_is_of(&list->items[i], "ancient-changes"))
            return true;
    }
    return false;
}

struct change {
    const struct audit_event *event;
    yyjson_val *before;
    struct slice writer;
    struct slice version; /* of the API */
    struct arena *arena;
};

static bool is_of_writer(const struct change *change, const struct audit_entry *entry)
{
    return slice_equal(entry->manager, change->writer) &&
        slice_equal(entry->subresource, change->event->object.subresource);
}

/* Whether the entry has a field that the other side's does not have, and that did not change. */
static bool has_moved(const struct change *change, const struct audit_entry *entry)
{
    yyjson_val *others = entry->other ? entry->other->fields : NULL;
    return slice_equal(entry->version, change->version) &&
        has_unchanged(entry->fields, others, change->before, change->event->response, 0, change->arena);
}

/* Whether an entry of another manager loses what did not change. */
static bool others_lose(const struct change *change, const struct audit_entry_list *old)
{
    for (size_t i = 0; i < old->count; i++) {
        const struct audit_entry *entry = &old->items[i];
        if (!entry->is_same && !is_of_writer(change, entry) && has_moved(change, entry))
            return true;
    }
    return false;
}

/*
 * Whether the writer's Update entry gets a field that did not change, or an entry shows that no manager owned
 * it: the API server makes that one for an apply to an object that has no entries.
 */
static bool writer_gets(const struct change *change, const struct audit_entry_list *new)
{
    for (size_t i = 0; i < new->count; i++) {
        const struct audit_entry *entry = &new->items[i];
        if (!entry->other && audit_entry_is_of(entry, "before-first-apply"))
            return true;
        if (!entry->is_same && entry->is_update && is_of_writer(change, entry) && has_moved(change, entry))
            return true;
    }
    return false;
}

bool audit_moves_unchanged(
    const struct audit_event *event, yyjson_val *before, const struct audit_entries *entries,
    struct arena *arena)
{
    const struct audit_entry *written = NULL;
    struct change change = {
        .event = event,
        .before = before,
        .writer = event->manager,
        .version = json_text(json_member(before, SLICE("apiVersion"))),
        .arena = arena,
    };
    if (!entries->before.count || audit_is_mutated(event, arena))
        return false;
    /* Without the options the writer is the manager of the entry that it wrote; one that only drops fields
     * wrote none. */
    if (event->lacks_options && !audit_written(entries, &written))
        return false;
    if (event->lacks_options)
        change.writer = written->manager;
    bool is_found = (!has_joined_entries(&entries->after) && others_lose(&change, &entries->before)) ||
        writer_gets(&change, &entries->after);
    return is_found && !arena_has_failed(arena);
}

/*
 * Versions without a change
 */

/* Whether nothing but times differs. An apply in another version of the API changes its entry. */
static bool are_same_but_times(const struct audit_entries *entries)
{
    const struct audit_entry_list *old = &entries->before;
    for (size_t i = 0; i < old->count; i++) {
        const struct audit_entry *entry = &old->items[i], *new = entry->other;
        if (!new || !slice_equal(entry->version, new->version) || !json_identical(entry->fields, new->fields))
            return false;
    }
    return old->count && old->count == entries->after.count;
}

/* A member of metadata; its version and entries do not count. */
static bool is_same_metadata(yyjson_val *key, yyjson_val *value, yyjson_val *other, struct arena *arena)
{
    return slice_equal(json_text(key), SLICE("resourceVersion")) ||
        slice_equal(json_text(key), SLICE("managedFields")) || json_equal(value, other, arena);
}

static bool is_same_member(yyjson_val *key, yyjson_val *value, yyjson_val *other, struct arena *arena)
{
    return slice_equal(json_text(key), SLICE("metadata")) || json_equal(value, other, arena);
}

static bool has_same_members(
    yyjson_val *before, yyjson_val *after, struct arena *arena,
    bool (*is_same)(yyjson_val *, yyjson_val *, yyjson_val *, struct arena *))
{
    if (yyjson_obj_size(before) != yyjson_obj_size(after) || yyjson_obj_size(before) > FIELDS_MAX)
        return false;
    json_each_key(key, before) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        if (!is_same(key, value, json_member(after, json_text(key)), arena))
            return false;
    }
    return true;
}

bool audit_changes_nothing(
    const struct audit_event *event, yyjson_val *before, const struct audit_entries *entries,
    struct arena *arena)
{
    yyjson_val *old = json_member(before, SLICE("metadata"));
    yyjson_val *new = json_member(event->response, SLICE("metadata"));
    bool is_same = are_same_but_times(entries) && has_same_members(old, new, arena, is_same_metadata) &&
        has_same_members(before, event->response, arena, is_same_member);
    return is_same && !arena_has_failed(arena);
}

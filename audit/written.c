#include "audit/written.h"

#include "audit/field_value.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"

/* Whether a JSON patch has an operation at or below a path, or another body has the member. */
bool audit_touches(yyjson_val *request, struct slice path, yyjson_val *member)
{
    if (!yyjson_is_arr(request))
        return member != NULL;
    json_each_item(operation, request) {
        if (slice_starts_with(json_text(json_member(operation, SLICE("path"))), path))
            return true;
    }
    return false;
}

bool audit_rewrites_owners(const struct audit_event *event)
{
    return audit_touches(
        event->request, SLICE("/metadata/managedFields"),
        json_metadata(event->request, SLICE("managedFields")));
}

/*
 * The limit of fields that are compared with each other, which takes quadratic time. Real objects have fewer;
 * beyond the limit, the written fields are unknown.
 */
#define FIELDS_MAX 4096

/* Whether a set of fields has a field that another set lacks. */
static bool has_more_fields(yyjson_val *fields, yyjson_val *others, int depth)
{
    if (yyjson_obj_size(fields) > FIELDS_MAX || depth == JSON_DEPTH_MAX)
        return true;
    json_each_key(key, fields) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        yyjson_val *other = json_member(others, json_text(key));
        if (!other || has_more_fields(value, other, depth + 1))
            return true;
    }
    return false;
}

/*
 * Whether the entry is new, has a newer time, or has more fields at the same time: the writes of others can
 * only take fields from it.
 */
static bool is_written(const struct audit_entry *entry)
{
    const struct audit_entry *old = entry->other;
    if (!old || slice_compare(entry->time, old->time) > 0)
        return true;
    return !json_identical(entry->fields, old->fields) && has_more_fields(entry->fields, old->fields, 0);
}

/* Entries that the API server creates in addition to the writer's. */
static bool is_by_the_server(const struct audit_entry *entry)
{
    return audit_entry_is_of(entry, "before-first-apply") || audit_entry_is_of(entry, "ancient-changes");
}

/* The API server merges the oldest Update entries if it would have to keep more of them. */
#define UPDATE_ENTRIES_MAX 10

/*
 * Whether such an entry can come from this write: of an object that had no entries, or had so many that the
 * oldest were merged.
 */
static bool may_come_from_server(const struct audit_entry *entry, const struct audit_entry_list *old)
{
    size_t updates = 0;
    if (audit_entry_is_of(entry, "before-first-apply"))
        return old->count == 0;
    for (size_t i = 0; i < old->count; i++)
        updates += old->items[i].is_update;
    return updates >= UPDATE_ENTRIES_MAX;
}

size_t audit_written(const struct audit_entries *entries, const struct audit_entry **first)
{
    size_t written = 0;
    for (size_t i = 0; i < entries->after.count; i++) {
        const struct audit_entry *entry = &entries->after.items[i];
        bool is_additional = is_by_the_server(entry) && may_come_from_server(entry, &entries->before);
        if (entry->is_same || is_additional || !is_written(entry))
            continue;
        if (!written++)
            *first = entry;
    }
    return entries->are_too_many ? AUDIT_WRITTEN_UNKNOWN : written;
}

/*
 * Losses
 */

static bool is_leaf(yyjson_val *fields)
{
    size_t count = yyjson_obj_size(fields);
    return count == 0 || (count == 1 && json_member(fields, SLICE(".")));
}

static bool is_large(yyjson_val *value)
{
    return yyjson_is_ctn(value) && yyjson_get_len(value) > FIELDS_MAX;
}

/* What an entry lost of one part of the object, and what else is known about this part. */
struct loss {
    yyjson_val *before, *after; /* the fields of the entry that loses them */
    yyjson_val *writer;         /* the fields of the writer */
    yyjson_val *value;          /* the value in the response */
};

static struct loss loss_of(const struct loss *loss, struct slice name, struct arena *arena)
{
    return (struct loss){
        .before = json_member(loss->before, name),
        .after = json_member(loss->after, name),
        .writer = json_member(loss->writer, name),
        .value = is_large(loss->value) ? NULL : audit_field_value(loss->value, name, arena),
    };
}

/*
 * Whether a field is lost that the writer does not have. With `must_be_there`, only fields count that the
 * response has.
 */
static bool loses_more(const struct loss *loss, bool must_be_there, int depth, struct arena *arena)
{
    if (json_identical(loss->before, loss->after) || (must_be_there && !loss->value))
        return false;
    if (is_large(loss->before) || depth == JSON_DEPTH_MAX)
        return true;
    json_each_key(key, loss->before) {
        struct slice name = json_text(key);
        if (slice_equal(name, SLICE(".")))
            continue;
        const struct loss inner = loss_of(loss, name, arena);
        bool is_there = !must_be_there || inner.value;
        if (is_leaf(inner.before) ? is_there && !inner.after && !inner.writer
                                  : loses_more(&inner, must_be_there, depth + 1, arena))
            return true;
    }
    return false;
}

/* Whether the entry is the writer's own, which may drop its fields. */
static bool is_of_writer(const struct audit_event *event, const struct audit_entry *entry)
{
    return slice_equal(entry->manager, event->manager) &&
        slice_equal(entry->subresource, event->object.subresource);
}

/*
 * The fields of the entry that the write has written, or else of one that it may have written. Returns NULL
 * if neither exists.
 */
static yyjson_val *written_fields(const struct audit_event *event, const struct audit_entry_list *new)
{
    yyjson_val *found = NULL;
    for (size_t i = 0; i < new->count; i++) {
        const struct audit_entry *entry = &new->items[i];
        if (!entry->is_same && is_written(entry))
            return entry->fields;
        if (is_of_writer(event, entry))
            found = entry->fields;
    }
    return found;
}

static bool has_entry_by_the_server(const struct audit_entry_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (is_by_the_server(&list->items[i]))
            return true;
    }
    return false;
}

bool audit_loses_more(
    const struct audit_event *event, yyjson_val *before, const struct audit_entries *entries,
    struct arena *arena)
{
    yyjson_val *writer = written_fields(event, &entries->after);
    struct slice version = json_text(json_member(before, SLICE("apiVersion")));
    if (has_entry_by_the_server(&entries->after) || (event->lacks_options && !writer))
        return false;
    for (size_t i = 0; i < entries->before.count; i++) {
        const struct audit_entry *entry = &entries->before.items[i];
        yyjson_val *left = entry->other ? entry->other->fields : NULL;
        /* In another version of the API, fields have other names. */
        if (entry->is_same || left == writer || is_of_writer(event, entry) ||
            !slice_equal(entry->version, version))
            continue;
        const struct loss loss = {entry->fields, left, writer, event->response};
        if (loses_more(&loss, !event->has_force, 0, arena))
            return true;
    }
    return false;
}

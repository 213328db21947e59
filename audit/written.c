#include "audit/written.h"

#include "base/each_member.h"
#include "base/json.h"

/* Whether a JSON patch has an operation at or below a path, or another body has the member. */
bool audit_touches(yyjson_val *request, struct slice path, yyjson_val *member)
{
    size_t index, count;
    yyjson_val *operation;
    if (!yyjson_is_arr(request))
        return member != NULL;
    yyjson_arr_foreach(request, index, count, operation)
    {
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

bool audit_has_same_entry(yyjson_val *list, yyjson_val *entry)
{
    size_t index, count;
    yyjson_val *other;
    yyjson_arr_foreach(list, index, count, other)
    {
        if (json_identical(entry, other))
            return true;
    }
    return false;
}

struct owner {
    yyjson_val *manager, *operation, *version, *time, *fields, *subresource;
};

static struct owner owner_of(yyjson_val *entry)
{
    static const struct json_wanted wanted[] = {JSON_WANTED("manager", struct owner, manager),
                                                JSON_WANTED("operation", struct owner, operation),
                                                JSON_WANTED("apiVersion", struct owner, version),
                                                JSON_WANTED("time", struct owner, time),
                                                JSON_WANTED("fieldsV1", struct owner, fields),
                                                JSON_WANTED("subresource", struct owner, subresource)};
    struct owner owner = {0};
    json_members(entry, wanted, sizeof(wanted) / sizeof(wanted[0]), &owner);
    return owner;
}

static bool is_same(yyjson_val *a, yyjson_val *b)
{
    return slice_equal(json_text(a), json_text(b));
}

/* Compares entries like the API server: it identifies an Apply entry by its manager, in any version. */
static bool is_same_owner(const struct owner *a, const struct owner *b)
{
    bool is_apply = slice_equal(json_text(a->operation), SLICE("Apply"));
    return is_same(a->manager, b->manager) && is_same(a->operation, b->operation) &&
        is_same(a->subresource, b->subresource) && (is_apply || is_same(a->version, b->version));
}

/*
 * The limit of entries and fields that are compared with each other, which takes quadratic time. Real objects
 * have fewer; beyond the limit, the written fields are unknown.
 */
#define ENTRIES_MAX 256
#define FIELDS_MAX 4096

/* Whether a set of fields has a field that another set lacks. */
static bool has_more_fields(yyjson_val *fields, yyjson_val *others, int depth)
{
    size_t index, count;
    yyjson_val *key, *value;
    if (yyjson_obj_size(fields) > FIELDS_MAX || depth == JSON_DEPTH_MAX)
        return true;
    each_member(fields, index, count, key, value)
    {
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
static bool is_written(const struct owner *owner, yyjson_val *list)
{
    size_t index, count;
    yyjson_val *entry;
    yyjson_arr_foreach(list, index, count, entry)
    {
        const struct owner other = owner_of(entry);
        if (!is_same_owner(owner, &other))
            continue;
        return slice_compare(json_text(owner->time), json_text(other.time)) > 0 ||
            (!json_identical(owner->fields, other.fields) && has_more_fields(owner->fields, other.fields, 0));
    }
    return true;
}

/* Entries that the API server creates in addition to the writer's. */
static bool is_by_the_server(const struct owner *owner)
{
    return slice_equal(json_text(owner->manager), SLICE("before-first-apply")) ||
        slice_equal(json_text(owner->manager), SLICE("ancient-changes"));
}

/* The API server merges the oldest Update entries if it would have to keep more of them. */
#define UPDATE_ENTRIES_MAX 10

/*
 * Whether such an entry can come from this write: of an object that had no entries, or had so many that the
 * oldest were merged.
 */
static bool may_come_from_server(const struct owner *owner, yyjson_val *old)
{
    size_t index, count, updates = 0;
    yyjson_val *entry;
    if (slice_equal(json_text(owner->manager), SLICE("before-first-apply")))
        return yyjson_arr_size(old) == 0;
    yyjson_arr_foreach(old, index, count, entry)
    {
        updates += slice_equal(json_text(json_member(entry, SLICE("operation"))), SLICE("Update"));
    }
    return updates >= UPDATE_ENTRIES_MAX;
}

size_t audit_written(const struct audit_event *event, yyjson_val *before, struct audit_owner *owner)
{
    yyjson_val *old = json_metadata(before, SLICE("managedFields"));
    yyjson_val *new = json_metadata(event->response, SLICE("managedFields")), *entry;
    size_t index, count, written = 0;
    if (yyjson_arr_size(old) > ENTRIES_MAX || yyjson_arr_size(new) > ENTRIES_MAX)
        return ENTRIES_MAX;
    yyjson_arr_foreach(new, index, count, entry)
    {
        if (audit_has_same_entry(old, entry))
            continue;
        const struct owner each = owner_of(entry);
        bool is_additional = is_by_the_server(&each) && may_come_from_server(&each, old);
        if (is_additional || !is_written(&each, old))
            continue;
        if (!written++)
            *owner = (struct audit_owner){
                .manager = json_text(each.manager),
                .subresource = json_text(each.subresource),
                .time = json_text(each.time),
                .is_apply = slice_equal(json_text(each.operation), SLICE("Apply")),
            };
    }
    return written;
}

/*
 * Losses
 */

static bool is_leaf(yyjson_val *fields)
{
    size_t count = yyjson_obj_size(fields);
    return count == 0 || (count == 1 && json_member(fields, SLICE(".")));
}

/* Whether a field is in the first set, but neither in the second nor in the writer's. */
static bool loses_more(yyjson_val *before, yyjson_val *after, yyjson_val *writer, int depth)
{
    size_t index, count;
    yyjson_val *key, *value;
    if (json_identical(before, after))
        return false;
    if (yyjson_obj_size(before) > FIELDS_MAX || depth == JSON_DEPTH_MAX)
        return true;
    each_member(before, index, count, key, value)
    {
        struct slice name = json_text(key);
        yyjson_val *left = json_member(after, name), *taken = json_member(writer, name);
        if (slice_equal(name, SLICE(".")))
            continue;
        if (is_leaf(value) ? !left && !taken : loses_more(value, left, taken, depth + 1))
            return true;
    }
    return false;
}

/* The fields of the same entry afterwards; returns NULL if it was removed. */
static yyjson_val *fields_of(const struct owner *owner, yyjson_val *list)
{
    size_t index, count;
    yyjson_val *entry;
    yyjson_arr_foreach(list, index, count, entry)
    {
        const struct owner other = owner_of(entry);
        if (is_same_owner(owner, &other))
            return other.fields;
    }
    return NULL;
}

/*
 * Whether a part of the value may be missing afterwards: a member, or an item of a list, in which items are
 * compared by position.
 */
static bool may_lack(yyjson_val *before, yyjson_val *after, int depth)
{
    size_t index, count;
    yyjson_val *key, *value, *item;
    yyjson_arr_iter others;
    if (yyjson_get_type(before) != yyjson_get_type(after))
        return yyjson_is_ctn(before);
    if (yyjson_get_len(before) > FIELDS_MAX && yyjson_is_ctn(before))
        return true;
    if (depth == JSON_DEPTH_MAX)
        return true;
    each_member(before, index, count, key, value)
    {
        yyjson_val *other = json_member(after, json_text(key));
        if (!other || may_lack(value, other, depth + 1))
            return true;
    }
    yyjson_arr_iter_init(after, &others);
    yyjson_arr_foreach(before, index, count, item)
    {
        yyjson_val *other = yyjson_arr_iter_next(&others);
        if (!other || may_lack(item, other, depth + 1))
            return true;
    }
    return false;
}

/* The same for an object, except for the fields that the API server writes itself. */
static bool object_may_lack(yyjson_val *before, yyjson_val *after)
{
    static const struct slice names[] = {
        SLICE_LITERAL("labels"), SLICE_LITERAL("annotations"), SLICE_LITERAL("finalizers"),
        SLICE_LITERAL("ownerReferences")};
    size_t index, count;
    yyjson_val *key, *value;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        yyjson_val *old = json_metadata(before, names[i]), *new = json_metadata(after, names[i]);
        if (old && (!new || may_lack(old, new, 0)))
            return true;
    }
    each_member(before, index, count, key, value)
    {
        struct slice name = json_text(key);
        yyjson_val *other = json_member(after, name);
        if (!slice_equal(name, SLICE("metadata")) && (!other || may_lack(value, other, 0)))
            return true;
    }
    return false;
}

/* Whether the entry is the writer's own, which may drop its fields. */
static bool is_of_writer(const struct audit_event *event, const struct owner *owner)
{
    return slice_equal(json_text(owner->manager), event->manager) &&
        slice_equal(json_text(owner->subresource), event->object.subresource);
}

/*
 * The fields of the entry that the write has written, or else of one that it may have written. Returns NULL
 * if neither exists.
 */
static yyjson_val *written_fields(const struct audit_event *event, yyjson_val *old, yyjson_val *new)
{
    yyjson_val *found = NULL, *entry;
    size_t index, count;
    yyjson_arr_foreach(new, index, count, entry)
    {
        const struct owner owner = owner_of(entry);
        if (is_written(&owner, old))
            return owner.fields;
        if (is_of_writer(event, &owner))
            found = owner.fields;
    }
    return found;
}

static bool has_entry_by_the_server(yyjson_val *list)
{
    size_t index, count;
    yyjson_val *entry;
    yyjson_arr_foreach(list, index, count, entry)
    {
        const struct owner owner = owner_of(entry);
        if (is_by_the_server(&owner))
            return true;
    }
    return false;
}

bool audit_loses_more(const struct audit_event *event, yyjson_val *before)
{
    yyjson_val *old = json_metadata(before, SLICE("managedFields"));
    yyjson_val *new = json_metadata(event->response, SLICE("managedFields")), *entry;
    yyjson_val *writer = written_fields(event, old, new);
    size_t index, count;
    if (has_entry_by_the_server(new) || (event->lacks_options && !writer))
        return false;
    yyjson_arr_foreach(old, index, count, entry)
    {
        if (audit_has_same_entry(new, entry))
            continue;
        const struct owner owner = owner_of(entry);
        yyjson_val *left = fields_of(&owner, new);
        if (left != writer && !is_of_writer(event, &owner) && loses_more(owner.fields, left, writer, 0))
            return event->has_force || !object_may_lack(before, event->response);
    }
    return false;
}

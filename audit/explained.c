#include "audit/explained.h"

#include "audit/mutation.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

/* The limits of what is compared with each other, which takes quadratic time. */
#define MEMBERS_MAX 4096
#define OPERATIONS_MAX 256

/* Changes at a greater depth count as explained: each level compares the values below again. */
#define DEPTH_MAX 16

/* A part of the request: what it names of a value. */
struct part {
    yyjson_val *body;  /* the value in a body that is an object; NULL: the body does not have it */
    yyjson_val *owned; /* the fields that the manager applied before: an apply without them removes them */
    yyjson_val *patch; /* a JSON patch; NULL: the body is an object */
    struct slice path; /* where the value is, as a JSON pointer */
    bool is_exact;     /* the value has no defaults: each member that comes or goes counts */
    int depth;         /* below a member of the object or of its metadata */
};

/*
 * JSON patches
 */

static bool starts_with_path(struct slice path, struct slice start)
{
    return slice_starts_with(path, start) && (path.length == start.length || path.bytes[start.length] == '/');
}

/* Whether an operation names the value itself, or the whole of which it is a part. */
static bool patch_covers(const struct part *part)
{
    static const struct slice names[] = {SLICE_LITERAL("path"), SLICE_LITERAL("from")};
    if (yyjson_arr_size(part->patch) > OPERATIONS_MAX)
        return true;
    json_each_item(operation, part->patch) {
        for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
            yyjson_val *path = json_member(operation, names[i]);
            if (path && starts_with_path(part->path, json_text(path)))
                return true;
        }
    }
    return false;
}

/* Whether an operation names something in the value. */
static bool patch_names(const struct part *part)
{
    json_each_item(operation, part->patch) {
        if (starts_with_path(json_text(json_member(operation, SLICE("path"))), part->path) ||
            starts_with_path(json_text(json_member(operation, SLICE("from"))), part->path))
            return true;
    }
    return false;
}

static struct slice member_path(struct slice path, struct slice name, struct arena *arena)
{
    struct text text = text_start(arena, path.length + name.length + 8);
    text_append_all(&text, path, "/");
    for (size_t i = 0; i < name.length; i++) {
        char byte = name.bytes[i];
        if (byte == '~' || byte == '/')
            text_append_string(&text, byte == '~' ? "~0" : "~1");
        else
            text_append(&text, (struct slice){&byte, 1});
    }
    return text_slice(&text);
}

/*
 * Parts
 */

/* Directives of a strategic merge patch are about all of the object that has them. */
static bool has_directive(yyjson_val *body)
{
    json_each_key(key, body) {
        if (slice_starts_with(json_text(key), SLICE("$")))
            return true;
    }
    return false;
}

/* Whether the request names the value as a whole. */
static bool is_covered(const struct part *part)
{
    if (part->patch)
        return patch_covers(part);
    return part->body && (!yyjson_is_obj(part->body) || has_directive(part->body));
}

/* Whether the request names something of the value. */
static bool is_named(const struct part *part)
{
    return part->body || part->owned || (part->patch && patch_names(part));
}

static struct part member_of(const struct part *part, struct slice name, struct arena *arena)
{
    return (struct part){
        .body = json_member(part->body, name),
        .owned = json_member(part->owned, text_join(arena, "f:", name)),
        .patch = part->patch,
        .path = part->patch ? member_path(part->path, name, arena) : (struct slice){NULL, 0},
        .is_exact = part->is_exact,
        .depth = part->depth,
    };
}

/*
 * Changes
 */

struct search {
    const struct audit_event *event;
    struct arena *arena;
};

/* In a value that is not exact, only values that are there before and after count. */
static bool is_unexplained(
    yyjson_val *before, yyjson_val *after, const struct part *part, const struct search *search);

/*
 * Annotations that the API server writes itself: a field of an object's first API version, and what a
 * server-side apply by kubectl applies (managedfields, NewLastAppliedUpdater).
 */
static bool is_by_the_server(const struct search *search, struct slice name)
{
    return slice_equal(name, SLICE("deprecated.daemonset.template.generation")) ||
        (slice_equal(name, SLICE("kubectl.kubernetes.io/last-applied-configuration")) &&
         slice_equal(search->event->manager, SLICE("kubectl")));
}

static bool member_is_unexplained(
    struct slice name, yyjson_val *before, yyjson_val *after, const struct part *part,
    const struct search *search)
{
    if (json_identical(before, after) || is_by_the_server(search, name))
        return false;
    struct part member = member_of(part, name, search->arena);
    member.depth++;
    return is_unexplained(before, after, &member, search);
}

static bool members_are_unexplained(
    yyjson_val *before, yyjson_val *after, const struct part *part, const struct search *search)
{
    json_each_key(key, before) {
        struct slice name = json_text(key);
        if (member_is_unexplained(name, yyjson_obj_iter_get_val(key), json_member(after, name), part, search))
            return true;
    }
    json_each_key(key, part->is_exact ? after : NULL) {
        struct slice name = json_text(key);
        if (!json_member(before, name) &&
            member_is_unexplained(name, NULL, yyjson_obj_iter_get_val(key), part, search))
            return true;
    }
    return false;
}

/* Lists that the request does not name: items keep their places. */
static bool items_are_unexplained(
    yyjson_val *before, yyjson_val *after, const struct part *part, const struct search *search)
{
    const struct part item_part = {.depth = part->depth + 1};
    yyjson_arr_iter others;
    if (part->is_exact || yyjson_arr_size(before) != yyjson_arr_size(after))
        return true;
    yyjson_arr_iter_init(after, &others);
    json_each_item(item, before) {
        if (is_unexplained(item, yyjson_arr_iter_next(&others), &item_part, search))
            return true;
    }
    return false;
}

static bool is_large(yyjson_val *value)
{
    return yyjson_is_ctn(value) && yyjson_get_len(value) > MEMBERS_MAX;
}

/* Fields that are exact have no empty objects: these are absent. */
static bool is_object(yyjson_val *value, const struct part *part)
{
    return yyjson_is_obj(value) || (!value && part->is_exact);
}

static bool is_unexplained(
    yyjson_val *before, yyjson_val *after, const struct part *part, const struct search *search)
{
    if (part->depth == DEPTH_MAX || is_covered(part) || json_equal(before, after, search->arena))
        return false;
    if (is_large(before) || is_large(after) || is_large(part->body) || is_large(part->owned))
        return true;
    if (is_object(before, part) && is_object(after, part))
        return members_are_unexplained(before, after, part, search);
    if (is_named(part))
        return false;
    if (yyjson_is_arr(before) && yyjson_is_arr(after))
        return items_are_unexplained(before, after, part, search);
    return part->is_exact || (before && after);
}

/*
 * The object
 */

/* The fields that the manager of the request applied before. */
static yyjson_val *applied_fields(const struct audit_event *event, yyjson_val *before)
{
    json_each_item(entry, json_metadata(before, SLICE("managedFields"))) {
        if (slice_equal(json_text(json_member(entry, SLICE("manager"))), event->manager) &&
            slice_equal(json_text(json_member(entry, SLICE("operation"))), SLICE("Apply")))
            return json_member(entry, SLICE("fieldsV1"));
    }
    return NULL;
}

static bool metadata_is_unexplained(
    yyjson_val *before, yyjson_val *after, const struct part *part, const struct search *search)
{
    static const struct slice names[] = {
        SLICE_LITERAL("labels"), SLICE_LITERAL("annotations"), SLICE_LITERAL("finalizers"),
        SLICE_LITERAL("ownerReferences")};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        struct part member = member_of(part, names[i], search->arena);
        member.is_exact = true;
        if (is_unexplained(json_metadata(before, names[i]), json_metadata(after, names[i]), &member, search))
            return true;
    }
    return false;
}

static bool is_compared(struct slice name)
{
    static const char *const others[] = {"apiVersion", "kind", "metadata", "status"};
    return !slice_is_one_of(name, others, ARRAY_SIZE(others));
}

/* The API server keeps a Secret's stringData in its data. */
static bool writes_data(const struct part *part, struct arena *arena)
{
    const struct part member = member_of(part, SLICE("stringData"), arena);
    return is_named(&member);
}

/* The members of an object that have no defaults. */
static bool is_exact_member(struct slice name)
{
    static const char *const names[] = {"data", "binaryData"};
    return slice_is_one_of(name, names, ARRAY_SIZE(names));
}

static bool content_member_is_unexplained(
    struct slice name, yyjson_val *before, yyjson_val *after, const struct part *part,
    const struct search *search)
{
    if (!is_compared(name) || (slice_equal(name, SLICE("data")) && writes_data(part, search->arena)))
        return false;
    struct part member = member_of(part, name, search->arena);
    member.is_exact = is_exact_member(name);
    return is_unexplained(before, after, &member, search);
}

static bool content_is_unexplained(
    yyjson_val *before, yyjson_val *after, const struct part *part, const struct search *search)
{
    if (is_large(before) || is_large(after))
        return true;
    json_each_key(key, before) {
        struct slice name = json_text(key);
        if (content_member_is_unexplained(
                name, yyjson_obj_iter_get_val(key), json_member(after, name), part, search))
            return true;
    }
    json_each_key(key, after) {
        struct slice name = json_text(key);
        if (!json_member(before, name) &&
            content_member_is_unexplained(name, NULL, yyjson_obj_iter_get_val(key), part, search))
            return true;
    }
    return false;
}

bool audit_has_unexplained_change(const struct audit_event *event, yyjson_val *before, struct arena *arena)
{
    const struct search search = {event, arena};
    bool is_patch = yyjson_is_arr(event->request);
    const struct part all = {
        .body = is_patch ? NULL : event->request,
        .owned = applied_fields(event, before),
        .patch = is_patch ? event->request : NULL,
        .path = SLICE(""),
    };
    const struct part metadata = member_of(&all, SLICE("metadata"), arena);
    if (!slice_equal(event->verb, SLICE("patch")) || !event->request || is_covered(&all) ||
        is_covered(&metadata) || audit_is_mutated(event, arena))
        return false;
    bool is_found = metadata_is_unexplained(before, event->response, &metadata, &search) ||
        content_is_unexplained(before, event->response, &all, &search);
    return is_found && !arena_has_failed(arena);
}

/*
 * Hidden writes
 */

/* Whether a write before would show elsewhere: in the rest of the object, or in its generation. */
static bool is_counted(struct slice path, yyjson_val *before)
{
    bool has_generation = yyjson_get_uint(json_metadata(before, SLICE("generation"))) > 0;
    return slice_starts_with(path, SLICE("/metadata/managedFields")) ||
        (has_generation && slice_starts_with(path, SLICE("/spec")));
}

static bool replaces_container(yyjson_val *operation, yyjson_val *before)
{
    struct slice path = json_text(json_member(operation, SLICE("path")));
    bool is_test = slice_equal(json_text(json_member(operation, SLICE("op"))), SLICE("test"));
    return path.bytes && !is_test && !is_counted(path, before) &&
        yyjson_is_ctn(yyjson_ptr_getn(before, path.bytes, path.length));
}

bool audit_may_hide_write(const struct audit_event *event, yyjson_val *before)
{
    if (slice_equal(event->verb, SLICE("update")))
        return true;
    json_each_item(operation, event->request) {
        if (replaces_container(operation, before))
            return true;
    }
    return false;
}

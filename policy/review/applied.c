#include "policy/review/applied.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"

enum applied_kind applied_kind(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    if (!writer->known || !writer->after || !class_applies(writer->class))
        return APPLIED_NOTHING;
    if (writer->manager.operation == MANAGER_APPLY)
        return APPLIED_SERVER_SIDE;
    if (review->last_applied.written && entry_owns_last_applied(writer->after))
        return APPLIED_CLIENT_SIDE;
    return APPLIED_NOTHING;
}

/*
 * A configuration is walked in one of two forms: FieldsV1, where a field's key is "f:name" and any other key
 * with a colon is a list item, or the JSON of the annotation.
 */
enum form { FORM_FIELDS, FORM_JSON };

struct question {
    enum form form;
    /*
     * A list that is not there has no items that could lack anything: this counts for the request's own
     * declaration only.
     */
    bool absent_lists_pass;
};

static bool declares(yyjson_val *node, struct slice path, const struct question *question, unsigned depth);

static bool each_item_declares(
    yyjson_val *node, struct slice rest, const struct question *question, unsigned depth)
{
    if (yyjson_is_arr(node)) {
        json_each_item(item, node) {
            if (!declares(item, rest, question, depth))
                return false;
        }
        return true;
    }
    json_each_key(key, node) {
        bool membership = question->form == FORM_FIELDS && slice_equal(json_text(key), SLICE("."));
        if (!membership && !declares(yyjson_obj_iter_get_val(key), rest, question, depth))
            return false;
    }
    return true;
}

static bool asks_of_items(struct slice path)
{
    for (size_t bracket; (bracket = slice_find(path, '[')) < path.length;
         path = slice_from(path, bracket + 1)) {
        if (slice_starts_with(slice_from(path, bracket), SLICE("[*]")))
            return true;
    }
    return false;
}

/* Where a name that begins the path may end: before the first dot or bracket from `start` on. */
static size_t end_of_name(struct slice path, size_t start)
{
    while (start < path.length && path.bytes[start] != '.' && path.bytes[start] != '[')
        start++;
    return start;
}

/* Whether a member whose name begins the path declares the rest: names may hold dots and brackets. */
static bool member_declares(
    yyjson_val *node, struct slice path, const struct question *question, unsigned depth)
{
    bool has_name = false;
    if (!yyjson_is_obj(node))
        return false;
    for (size_t end = 0; path.bytes[0] == '.' && end < path.length;) {
        end = end_of_name(path, end + 1);
        struct slice name = slice_from(slice_until(path, end), 1);
        yyjson_val *child =
            question->form == FORM_FIELDS ? fields_child(node, name) : json_member(node, name);
        has_name |= child != NULL;
        if (child && declares(child, slice_from(path, end), question, depth))
            return true;
    }
    return !has_name && question->absent_lists_pass && asks_of_items(path);
}

static bool declares(yyjson_val *node, struct slice path, const struct question *question, unsigned depth)
{
    if (path.length == 0)
        return question->form == FORM_FIELDS || !yyjson_is_null(node);
    /* Below an atomic value, FieldsV1 does not say what was declared; it is taken to be. */
    if (depth == 0 || (question->form == FORM_FIELDS && yyjson_obj_size(node) == 0))
        return true;
    if (slice_starts_with(path, SLICE("[*]")))
        return each_item_declares(node, slice_from(path, 3), question, depth - 1);
    return member_declares(node, path, question, depth - 1);
}

static enum declared declared_in(yyjson_val *node, struct slice path, enum form form)
{
    const struct question question = {.form = form, .absent_lists_pass = true};
    return declares(node, path, &question, JSON_DEPTH_MAX) ? DECLARED_YES : DECLARED_NO;
}

/* The configuration, unless it names another object: then it is NULL, and all its parts are. */
static yyjson_val *if_of_this(
    const struct review *review, yyjson_val *configuration, struct object_parts *parts)
{
    object_parts_read(parts, configuration);
    if (!review_is_of_another(review, parts))
        return configuration;
    *parts = (struct object_parts){0};
    return NULL;
}

yyjson_val *applied_annotation(const struct review *review)
{
    struct review_cache *cache = review->cache;
    if (!cache->has_applied_annotation)
        cache->applied_annotation =
            if_of_this(review, last_applied_configuration(&review->last_applied), &cache->applied_parts);
    cache->has_applied_annotation = true;
    return cache->applied_annotation;
}

yyjson_val *applied_annotation_before(const struct review *review)
{
    struct review_cache *cache = review->cache;
    struct object_parts parts;
    if (!cache->has_applied_before)
        cache->applied_before =
            if_of_this(review, last_applied_configuration_before(&review->last_applied), &parts);
    cache->has_applied_before = true;
    return cache->applied_before;
}

const struct object_parts *applied_annotation_parts(const struct review *review)
{
    (void)applied_annotation(review);
    return &review->cache->applied_parts;
}

yyjson_val *applied_client_side(const struct review *review)
{
    return applied_kind(review) == APPLIED_CLIENT_SIDE ? applied_annotation(review) : NULL;
}

enum declared applied_declares_itself(const struct review *review, struct slice path)
{
    switch (applied_kind(review)) {
    case APPLIED_SERVER_SIDE:
        return declared_in(entry_fields(review->ownership.writer.after), path, FORM_FIELDS);
    case APPLIED_CLIENT_SIDE: {
        yyjson_val *configuration = applied_annotation(review);
        return configuration ? declared_in(configuration, path, FORM_JSON) : DECLARED_UNKNOWN;
    }
    case APPLIED_NOTHING:
        break;
    }
    return DECLARED_UNKNOWN;
}

/*
 * Among the other owners of a field, a client-side applier owns defaults too, and its annotation
 * distinguishes them; of any other it is not known whether the field was declared or left to a default.
 */
static enum declared others_declare(const struct review *review, struct slice path)
{
    const struct question in_fields = {.form = FORM_FIELDS}, in_json = {.form = FORM_JSON};
    const struct ownership *ownership = &review->ownership;
    yyjson_val *configuration = applied_annotation(review);
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (entry == ownership->writer.after ||
            !declares(entry_fields(entry), path, &in_fields, JSON_DEPTH_MAX))
            continue;
        bool client_side = configuration && entry->manager.operation == MANAGER_UPDATE &&
            ownership_class(ownership, entry) == CLASS_APPLIER;
        if (!client_side || declares(configuration, path, &in_json, JSON_DEPTH_MAX))
            return DECLARED_UNKNOWN;
    }
    return DECLARED_NO;
}

enum declared applied_declares(const struct review *review, struct slice path)
{
    enum declared itself = applied_declares_itself(review, path);
    if (itself != DECLARED_NO || applied_kind(review) != APPLIED_SERVER_SIDE ||
        review->operation == OPERATION_CREATE)
        return itself;
    return others_declare(review, path);
}

/* The writer's configuration before; a server-side applier may have begun as a client-side one. */
static enum declared declared_before(const struct review *review, struct slice path)
{
    const struct managed_fields_entry *entry = review->ownership.writer.before;
    if (applied_kind(review) == APPLIED_SERVER_SIDE && entry)
        return declared_in(entry_fields(entry), path, FORM_FIELDS);
    yyjson_val *configuration = applied_annotation_before(review);
    return configuration ? declared_in(configuration, path, FORM_JSON) : DECLARED_UNKNOWN;
}

static yyjson_val *value_at(yyjson_val *object, struct slice path)
{
    while (object && path.length) {
        path = slice_from(path, 1);
        size_t end = slice_find(path, '.');
        object = json_member(object, slice_until(path, end));
        path = slice_from(path, end);
    }
    return object;
}

static bool is_changed(const struct review *review, struct slice path)
{
    yyjson_val *before = value_at(review->old_object, path), *after = value_at(review->object, path);
    return before && after ? lookup_equal(review->lookup, before, after) == ANSWER_NO : before != after;
}

bool applied_lacks_newly(const struct review *review, struct slice path)
{
    return !review->old_object || declared_before(review, path) != DECLARED_NO || is_changed(review, path);
}

bool applied_is_partial(const struct review *review)
{
    if (review->declared_by_other_sources)
        return true;
    enum applied_kind kind = applied_kind(review);
    if (review->operation != OPERATION_UPDATE || kind == APPLIED_NOTHING)
        return false;
    /* Every configuration of these has a selector, because apps/v1 demands it. */
    if (review_is_of_workload(review))
        return applied_declares_itself(review, SLICE(".spec.selector")) != DECLARED_YES;
    return kind == APPLIED_SERVER_SIDE && ownership_has_other(&review->ownership, CLASS_APPLIER);
}

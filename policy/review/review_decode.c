#include "policy/review/review_decode.h"

#include "base/count.h"
#include "base/json.h"
#include "base/text.h"
#include "policy/review/ownership.h"

static void note_unjudged(struct review *review, const char *sentence)
{
    if (review->unjudged_count < REVIEW_UNJUDGED_MAX)
        review->unjudged[review->unjudged_count++] = slice_of(sentence);
}

struct envelope {
    yyjson_val *api_version, *kind, *request;
};

struct request {
    yyjson_val *uid, *kind, *resource, *subresource, *name, *namespace, *operation, *user_info;
    yyjson_val *object, *old_object, *dry_run, *options;
};

/* A name that stands there twice is an error: readers differ in which one they take, and an answer to the
 * wrong one could carry a wrong uid. */
static int read_members(
    yyjson_val *object, const char *where, const struct json_wanted *wanted, size_t count, void *values,
    struct error *error)
{
    const struct json_wanted *twice = json_members(object, wanted, count, values);
    return twice ? error_set(error, "%s has the key \"%s\" twice", where, twice->name.bytes) : 0;
}

static int read_envelope(yyjson_val *root, struct envelope *envelope, struct error *error)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("kind", struct envelope, kind),
        JSON_WANTED("apiVersion", struct envelope, api_version),
        JSON_WANTED("request", struct envelope, request),
    };
    if (!yyjson_is_obj(root))
        return error_set(error, "the body is JSON, but not an object");
    if (read_members(root, "the AdmissionReview", wanted, COUNT(wanted), envelope, error) < 0)
        return -1;
    if (!slice_equal(json_text(envelope->kind), SLICE("AdmissionReview")))
        return error_set(error, "the body is not an AdmissionReview: its kind is something else");
    struct slice version = json_text(envelope->api_version);
    if (!slice_equal(version, SLICE("admission.k8s.io/v1")) &&
        !slice_equal(version, SLICE("admission.k8s.io/v1beta1")))
        return error_set(error, "the AdmissionReview is neither of admission.k8s.io/v1 nor of v1beta1");
    if (!yyjson_is_obj(envelope->request))
        return error_set(error, "the AdmissionReview has no request");
    return 0;
}

static int read_request(yyjson_val *object, struct request *request, struct error *error)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("uid", struct request, uid),
        JSON_WANTED("kind", struct request, kind),
        JSON_WANTED("resource", struct request, resource),
        JSON_WANTED("subResource", struct request, subresource),
        JSON_WANTED("name", struct request, name),
        JSON_WANTED("namespace", struct request, namespace),
        JSON_WANTED("operation", struct request, operation),
        JSON_WANTED("userInfo", struct request, user_info),
        JSON_WANTED("object", struct request, object),
        JSON_WANTED("oldObject", struct request, old_object),
        JSON_WANTED("dryRun", struct request, dry_run),
        JSON_WANTED("options", struct request, options),
    };
    if (read_members(object, "the request", wanted, COUNT(wanted), request, error) < 0)
        return -1;
    if (!yyjson_is_str(request->uid) || yyjson_get_len(request->uid) == 0)
        return error_set(error, "the request has no uid, or one that is not a string");
    return 0;
}

static int read_operation(struct review *review, yyjson_val *value, struct error *error)
{
    struct slice text = json_text(value);
    for (int i = OPERATION_CREATE; i <= OPERATION_CONNECT; i++) {
        if (slice_equal(text, slice_of(operation_name((enum operation)i)))) {
            review->operation = (enum operation)i;
            return 0;
        }
    }
    return error_set(error, "the request's operation is none of CREATE, UPDATE, DELETE and CONNECT");
}

/* apimachinery, GroupVersionKind and GroupVersionResource. */
struct type {
    yyjson_val *group, *version, *kind, *resource;
};

static struct type type_of(yyjson_val *value)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("group", struct type, group),
        JSON_WANTED("version", struct type, version),
        JSON_WANTED("kind", struct type, kind),
        JSON_WANTED("resource", struct type, resource),
    };
    struct type type = {0};
    json_members(value, wanted, COUNT(wanted), &type);
    return type;
}

struct user {
    yyjson_val *username, *groups;
};

static struct user user_of(yyjson_val *value)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("username", struct user, username),
        JSON_WANTED("groups", struct user, groups),
    };
    struct user user = {0};
    json_members(value, wanted, COUNT(wanted), &user);
    return user;
}

static int read_kind(struct review *review, yyjson_val *value, struct error *error)
{
    struct type type = type_of(value);
    review->group = json_text(type.group);
    review->version = json_text(type.version);
    review->kind = json_text(type.kind);
    if (!review->kind.length)
        return error_set(error, "the request does not name a kind");
    review->group_kind = review->kind;
    if (!review->group.length)
        return 0;
    struct text text = text_start(review->arena, review->kind.length + review->group.length + 1);
    text_append(&text, review->kind);
    text_append_string(&text, ".");
    text_append(&text, review->group);
    review->group_kind = text_slice(&text);
    return 0;
}

/* NULL for what is absent, null or no object; the last is noted. */
static yyjson_val *read_object(struct review *review, yyjson_val *value, const char *note)
{
    if (yyjson_is_obj(value))
        return value;
    if (value && !yyjson_is_null(value))
        note_unjudged(review, note);
    return NULL;
}

static bool has_text_values_only(yyjson_val *object)
{
    yyjson_obj_iter members;
    yyjson_obj_iter_init(object, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        if (!yyjson_is_str(yyjson_obj_iter_get_val(key)))
            return false;
    }
    return true;
}

static void check_metadata(struct review *review)
{
    if (!yyjson_is_obj(review->parts.metadata.value)) {
        note_unjudged(review, "the object's metadata is not an object");
        return;
    }
    yyjson_val *annotations = review->parts.metadata.annotations;
    if (annotations && !yyjson_is_null(annotations) && !yyjson_is_obj(annotations))
        note_unjudged(review, "the object's annotations are not an object");
    else if (annotations && !has_text_values_only(annotations))
        note_unjudged(review, "an annotation of the object is not a string");
}

static void check_managed_fields(
    struct review *review, const struct managed_fields *side, const char *malformed, const char *entries)
{
    if (side->malformed)
        note_unjudged(review, malformed);
    else if (side->unreadable)
        note_unjudged(review, entries);
}

static void note_what_is_missing(struct review *review)
{
    if (!review->object) {
        if (review->unjudged_count == 0)
            note_unjudged(review, "the request has no object");
        return;
    }
    if (review->operation == OPERATION_UPDATE && !review->old_object)
        note_unjudged(review, "the request has no old object to compare with");
    check_metadata(review);
    check_managed_fields(
        review, &review->ownership.before, "the old object's managedFields are not a list",
        "an entry of the old object's managedFields has no readable fieldsV1");
    check_managed_fields(
        review, &review->ownership.after, "the object's managedFields are not a list",
        "an entry of the object's managedFields has no readable fieldsV1");
}

static struct slice first_filled(struct slice a, struct slice b)
{
    return a.length ? a : b;
}

static int fill(
    struct review *review, const struct envelope *envelope, const struct request *request,
    struct error *error)
{
    review->api_version = json_text(envelope->api_version);
    review->uid = json_text(request->uid);
    if (read_operation(review, request->operation, error) < 0 || read_kind(review, request->kind, error) < 0)
        return -1;
    review->subresource = json_text(request->subresource);
    struct type resource = type_of(request->resource);
    review->resource = (struct resource){
        .group = json_text(resource.group),
        .version = json_text(resource.version),
        .name = json_text(resource.resource),
    };
    review->object = read_object(review, request->object, "the request's object is not an object");
    review->old_object = read_object(review, request->old_object, "the request's oldObject is not an object");
    object_parts_read(&review->parts, review->object);
    object_parts_read(&review->old_parts, review->old_object);
    const struct object_parts *named = review->object ? &review->parts : &review->old_parts;
    review->namespace = json_text(request->namespace);
    review->name = first_filled(json_text(request->name), json_text(named->metadata.name));
    struct user user = user_of(request->user_info);
    review->username = json_text(user.username);
    review->groups = yyjson_is_arr(user.groups) ? user.groups : NULL;
    review->dry_run = yyjson_get_bool(request->dry_run);
    review->field_manager = json_text(json_member(request->options, SLICE("fieldManager")));
    review->deleting = yyjson_is_str(review->old_parts.metadata.deletion_timestamp);
    return 0;
}

static enum review_result parse(
    struct slice body, yyjson_read_flag flags, struct arena *arena, yyjson_val **root, struct error *error)
{
    yyjson_read_err problem;
    yyjson_doc *document = json_read(body, flags, arena, &problem);
    if (document) {
        *root = yyjson_doc_get_root(document);
        return REVIEW_OK;
    }
    if (problem.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
        error_set(error, "no memory to read the body");
        return REVIEW_OUT_OF_MEMORY;
    }
    if (body.length)
        error_set(error, "the body is not JSON: %s at byte %zu", problem.msg, problem.pos);
    else
        error_set(error, "the body is empty");
    return REVIEW_UNREADABLE;
}

/* False if there is no memory. Where no rule will ask, nothing is read. */
static bool read_ownership(struct review *review)
{
    if ((review->subresource.length && !review_is_of_status(review)) || review->operation > OPERATION_UPDATE)
        return true;
    if (!last_applied_read(
            &review->last_applied, review->old_parts.metadata.annotations, review->parts.metadata.annotations,
            review->arena) ||
        !ownership_read(&review->ownership, review, review->subresource))
        return false;
    note_what_is_missing(review);
    return true;
}

enum review_result review_decode(
    struct slice body, yyjson_read_flag flags, const struct class_rules *class_rules, struct arena *arena,
    struct review **result, struct error *error)
{
    yyjson_val *root = NULL;
    enum review_result parsed = parse(body, flags, arena, &root, error);
    if (parsed != REVIEW_OK)
        return parsed;
    struct envelope envelope = {0};
    struct request request = {0};
    if (read_envelope(root, &envelope, error) < 0 || read_request(envelope.request, &request, error) < 0)
        return REVIEW_UNREADABLE;
    struct review *review = arena_allocate_array(arena, 1, sizeof(*review));
    struct review_cache *cache = arena_allocate_array(arena, 1, sizeof(*cache));
    struct lookup *lookup = lookup_create(arena);
    if (!review || !cache || !lookup)
        return REVIEW_OUT_OF_MEMORY;
    review->bytes = body.length;
    review->arena = arena;
    review->cache = cache;
    review->lookup = lookup;
    lookup_effort(lookup)->bytes = body.length;
    review->ownership.class_rules = class_rules;
    if (fill(review, &envelope, &request, error) < 0)
        return REVIEW_UNREADABLE;
    if (!read_ownership(review))
        return REVIEW_OUT_OF_MEMORY;
    *result = review;
    return REVIEW_OK;
}

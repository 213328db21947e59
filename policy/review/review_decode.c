#include "policy/review/review_decode.h"

#include "base/array_size.h"
#include "base/json.h"
#include "policy/review/review_make.h"

struct envelope {
    yyjson_val *api_version, *kind, *request;
};

struct request {
    yyjson_val *uid, *kind, *resource, *subresource, *name, *namespace, *operation, *user_info;
    yyjson_val *object, *old_object, *dry_run, *options;
};

/*
 * A duplicate name is an error: readers differ in which one they take, and an answer to the wrong one could
 * carry a wrong uid.
 */
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
    if (read_members(root, "the AdmissionReview", wanted, ARRAY_SIZE(wanted), envelope, error) < 0)
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
    if (read_members(object, "the request", wanted, ARRAY_SIZE(wanted), request, error) < 0)
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
    return error_set(error, "the request's operation is not CREATE, UPDATE, DELETE or CONNECT");
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
    json_members(value, wanted, ARRAY_SIZE(wanted), &type);
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
    json_members(value, wanted, ARRAY_SIZE(wanted), &user);
    return user;
}

static int read_kind(struct review *review, yyjson_val *value, struct error *error)
{
    struct type type = type_of(value);
    struct slice kind = json_text(type.kind);
    if (!kind.length)
        return error_set(error, "the request does not name a kind");
    review_set_kind(review, json_text(type.group), json_text(type.version), kind);
    return 0;
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
    review->namespace = json_text(request->namespace);
    review->name = json_text(request->name);
    review_set_objects(review, request->object, request->old_object);
    struct user user = user_of(request->user_info);
    review->username = json_text(user.username);
    review->groups = yyjson_is_arr(user.groups) ? user.groups : NULL;
    review->dry_run = yyjson_get_bool(request->dry_run);
    review->field_manager = json_text(json_member(request->options, SLICE("fieldManager")));
    return 0;
}

static enum review_result fail_without_memory(struct error *error)
{
    error_set_out_of_memory(error);
    return REVIEW_OUT_OF_MEMORY;
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
    if (problem.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
        return fail_without_memory(error);
    if (body.length)
        error_set(error, "the body is not JSON: %s at byte %zu", problem.msg, problem.pos);
    else
        error_set(error, "the body is empty");
    return REVIEW_UNREADABLE;
}

enum review_result review_decode(
    struct slice body, yyjson_read_flag flags, struct arena *arena, const struct review **result,
    struct error *error)
{
    yyjson_val *root = NULL;
    enum review_result parsed = parse(body, flags, arena, &root, error);
    if (parsed != REVIEW_OK)
        return parsed;
    struct envelope envelope = {0};
    struct request request = {0};
    if (read_envelope(root, &envelope, error) < 0 || read_request(envelope.request, &request, error) < 0)
        return REVIEW_UNREADABLE;
    struct review *review = review_create(body.length, arena);
    if (!review)
        return fail_without_memory(error);
    if (fill(review, &envelope, &request, error) < 0)
        return REVIEW_UNREADABLE;
    if (!review_read_owners(review))
        return fail_without_memory(error);
    *result = review;
    return REVIEW_OK;
}

#include "audit/decode.h"

#include "audit/gke.h"
#include "audit/request_uri.h"
#include "audit/user_agent.h"
#include "audit/wrapping.h"
#include "base/array_size.h"
#include "base/json.h"

struct members {
    yyjson_val *kind, *api_version, *level, *id, *stage, *uri, *verb, *user, *impersonated, *user_agent;
    yyjson_val *object, *status, *request, *response, *started, *ended, *annotations;
};

/* In the order of the API server. */
static const struct json_wanted event_members[] = {
    JSON_WANTED("kind", struct members, kind),
    JSON_WANTED("apiVersion", struct members, api_version),
    JSON_WANTED("level", struct members, level),
    JSON_WANTED("auditID", struct members, id),
    JSON_WANTED("stage", struct members, stage),
    JSON_WANTED("requestURI", struct members, uri),
    JSON_WANTED("verb", struct members, verb),
    JSON_WANTED("user", struct members, user),
    JSON_WANTED("impersonatedUser", struct members, impersonated),
    JSON_WANTED("userAgent", struct members, user_agent),
    JSON_WANTED("objectRef", struct members, object),
    JSON_WANTED("responseStatus", struct members, status),
    JSON_WANTED("requestObject", struct members, request),
    JSON_WANTED("responseObject", struct members, response),
    JSON_WANTED("requestReceivedTimestamp", struct members, started),
    JSON_WANTED("stageTimestamp", struct members, ended),
    JSON_WANTED("annotations", struct members, annotations),
};

static enum audit_level level_of(struct slice level)
{
    if (slice_equal(level, SLICE("RequestResponse")))
        return AUDIT_REQUEST_RESPONSE;
    return slice_equal(level, SLICE("Request")) ? AUDIT_REQUEST : AUDIT_METADATA;
}

static struct slice text_of(yyjson_val *object, const char *name)
{
    return json_text(json_member(object, slice_of(name)));
}

struct reference {
    yyjson_val *resource, *namespace, *name, *uid, *group, *version, *resource_version, *subresource;
};

static struct audit_object object_of(yyjson_val *reference)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("resource", struct reference, resource),
        JSON_WANTED("namespace", struct reference, namespace),
        JSON_WANTED("name", struct reference, name),
        JSON_WANTED("uid", struct reference, uid),
        JSON_WANTED("apiGroup", struct reference, group),
        JSON_WANTED("apiVersion", struct reference, version),
        JSON_WANTED("resourceVersion", struct reference, resource_version),
        JSON_WANTED("subresource", struct reference, subresource),
    };
    struct reference found = {0};
    json_members(reference, wanted, ARRAY_SIZE(wanted), &found);
    return (struct audit_object){
        .resource = json_text(found.resource),
        .namespace = json_text(found.namespace),
        .name = json_text(found.name),
        .uid = json_text(found.uid),
        .group = json_text(found.group),
        .version = json_text(found.version),
        .subresource = json_text(found.subresource),
        .resource_version = json_text(found.resource_version),
    };
}

/* Deletions and evictions may be dry runs by the options that they send, too. */
static bool is_dry_run_by_options(yyjson_val *request)
{
    bool is_eviction = slice_equal(text_of(request, "kind"), SLICE("Eviction"));
    yyjson_val *options = is_eviction ? json_member(request, SLICE("deleteOptions")) : request;
    return (is_eviction || slice_equal(text_of(request, "kind"), SLICE("DeleteOptions"))) &&
        yyjson_arr_size(json_member(options, SLICE("dryRun"))) > 0;
}

static void read_options(struct audit_event *event, struct slice uri, struct arena *arena)
{
    const struct request_options options = request_options_read(uri, arena);
    event->option_manager = options.manager;
    event->has_force = options.has_force;
    event->is_forced = options.is_forced;
    event->is_dry_run = options.is_dry_run || is_dry_run_by_options(event->request);
    event->manager =
        options.manager.length ? options.manager : audit_manager_of_agent(event->user_agent, arena);
}

static unsigned code_of(yyjson_val *status)
{
    yyjson_val *code = json_member(status, SLICE("code"));
    return yyjson_is_uint(code) && yyjson_get_uint(code) < 1000 ? (unsigned)yyjson_get_uint(code) : 0;
}

static bool is_event(const struct members *found)
{
    return slice_equal(json_text(found->kind), SLICE("Event")) &&
        slice_equal(json_text(found->api_version), SLICE("audit.k8s.io/v1"));
}

/* The API server and AKS write this instead of an object that is too large. */
static bool is_truncated(const struct members *found)
{
    return slice_equal(text_of(found->annotations, "audit.k8s.io/truncated"), SLICE("true")) ||
        yyjson_is_str(found->request) || yyjson_is_str(found->response);
}

/* A string in place of an object is ignored. */
static yyjson_val *object_or_list(yyjson_val *value)
{
    return yyjson_is_ctn(value) ? value : NULL;
}

static struct audit_event event_of(const struct members *found)
{
    yyjson_val *user = found->impersonated ? found->impersonated : found->user;
    return (struct audit_event){
        .level = level_of(json_text(found->level)),
        .id = json_text(found->id),
        .verb = json_text(found->verb),
        .user = text_of(user, "username"),
        .impersonator = text_of(found->impersonated ? found->user : NULL, "username"),
        .user_agent = json_text(found->user_agent),
        .is_truncated = is_truncated(found),
        .object = object_of(found->object),
        .code = code_of(found->status),
        .started = json_text(found->started),
        .ended = json_text(found->ended),
        .request = object_or_list(found->request),
        .response = object_or_list(found->response),
        .status = found->status,
        .groups = json_member(user, SLICE("groups")),
        .annotations = found->annotations,
    };
}

static enum audit_decode refuse(struct error *error)
{
    error_set(error, "it is not an Event of audit.k8s.io/v1");
    return AUDIT_NO_EVENT;
}

static enum audit_decode refuse_memory(struct error *error)
{
    error_set_out_of_memory(error);
    return AUDIT_NO_EVENT;
}

static enum audit_decode decode_members(
    const struct members *found, struct arena *arena, struct audit_event *event, struct error *error)
{
    static const char *const ends[] = {"ResponseComplete", "Panic"};
    if (!slice_is_one_of(json_text(found->stage), ends, ARRAY_SIZE(ends)))
        return AUDIT_UNFINISHED;
    *event = event_of(found);
    read_options(event, json_text(found->uri), arena);
    return arena_has_failed(arena) ? refuse_memory(error) : AUDIT_DECODED;
}

/* If times were cut off, the wrapping's are used; a write whose outcome was cut off counts as done. */
static void complete(struct audit_event *event, const struct wrapped_event *wrapped)
{
    if (!wrapped->is_cut)
        return;
    event->is_truncated |= !event->response;
    if (!event->ended.length)
        event->ended = wrapped->time;
    if (!event->started.length)
        event->started = event->ended;
    if (!event->status)
        event->code = 200;
}

static enum audit_decode decode_record(
    yyjson_val *json, struct arena *arena, struct audit_event *event, struct error *error)
{
    struct wrapped_event wrapped;
    struct members found = {0};
    enum wrapping wrapping = wrapping_read(json, arena, &wrapped);
    if (wrapping == WRAPPING_NONE)
        return refuse(error);
    if (wrapping == WRAPPING_ENTRY)
        return gke_decode(json, arena, event, error);
    if (!wrapped.json && arena_has_failed(arena))
        return refuse_memory(error);
    if (!wrapped.json)
        return AUDIT_UNFINISHED;
    json_members(wrapped.json, event_members, ARRAY_SIZE(event_members), &found);
    if (!is_event(&found))
        return AUDIT_UNFINISHED;
    enum audit_decode decoded = decode_members(&found, arena, event, error);
    if (decoded == AUDIT_DECODED)
        complete(event, &wrapped);
    return decoded;
}

enum audit_decode audit_decode(
    yyjson_val *json, bool is_item, struct arena *arena, struct audit_event *event, struct error *error)
{
    struct members found = {0};
    if (yyjson_is_arr(json))
        return decode_record(json, arena, event, error);
    if (!yyjson_is_obj(json))
        return refuse(error);
    json_members(json, event_members, ARRAY_SIZE(event_members), &found);
    if (is_item || is_event(&found))
        return decode_members(&found, arena, event, error);
    return decode_record(json, arena, event, error);
}

#include "audit/gke.h"

#include "audit/user_agent.h"
#include "audit/wrapping.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/json_append.h"
#include "base/json_each.h"
#include "base/text.h"

#define AUDIT_LOG "type.googleapis.com/google.cloud.audit.AuditLog"
#define DRY_RUN_LABEL "command.gke.io/dryRun"

struct entry {
    yyjson_val *id, *labels, *payload, *received, *timestamp;
};

struct payload {
    yyjson_val *type, *user, *method, *request, *metadata, *resource, *response, *service, *status;
};

static struct slice text_of(yyjson_val *object, const char *name)
{
    return json_text(json_member(object, slice_of(name)));
}

/* Returns the part behind the last separator, and removes it from `text`. */
static struct slice take_last(struct slice *text, char separator)
{
    size_t start = text->length;
    while (start && text->bytes[start - 1] != separator)
        start--;
    struct slice last = slice_from(*text, start);
    *text = slice_until(*text, start ? start - 1 : 0);
    return last;
}

static struct slice take_first(struct slice *text)
{
    struct slice first = slice_until(*text, slice_find(*text, '/'));
    *text = slice_from(*text, first.length + 1);
    return first;
}

/* Whether the name is a subresource of a Namespace, and not a resource inside it. */
static bool is_of_namespace(struct slice name)
{
    return slice_equal(name, SLICE("status")) || slice_equal(name, SLICE("finalize"));
}

/*
 * GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME/SUBRESOURCE; without the namespace if the object has none,
 * and without a name if the API server generates it.
 */
static struct audit_object object_of(struct slice name)
{
    struct audit_object object = {0};
    object.group = take_first(&name);
    object.version = take_first(&name);
    object.resource = take_first(&name);
    if (slice_equal(object.group, SLICE("core")))
        object.group = (struct slice){NULL, 0};
    object.name = take_first(&name);
    struct slice third = slice_until(name, slice_find(name, '/'));
    if (slice_equal(object.resource, SLICE("namespaces")) && third.length && !is_of_namespace(third)) {
        object.namespace = object.name;
        object.resource = take_first(&name);
        object.name = take_first(&name);
    } else if (slice_equal(object.resource, SLICE("namespaces"))) {
        object.namespace = object.name;
    }
    object.subresource = take_first(&name);
    return object;
}

/* The object as JSON: without the member that Cloud Logging adds. Returns NULL if it is not an object. */
static yyjson_val *without_type(yyjson_val *object, struct arena *arena)
{
    struct text text = text_start(arena, json_bytes(object) + 16);
    const char *separator = "{";
    if (!yyjson_is_obj(object))
        return NULL;
    json_each_key(key, object) {
        if (slice_equal(json_text(key), SLICE("@type")))
            continue;
        text_append_all(&text, separator, as_json(json_text(key)), ":");
        json_append_value(&text, yyjson_obj_iter_get_val(key));
        separator = ",";
    }
    text_append_string(&text, *separator == '{' ? "{}" : "}");
    return json_parse(text_slice(&text), arena);
}

/* The HTTP status of a code of google.rpc. */
static unsigned code_of_rpc(yyjson_val *status, bool is_create)
{
    static const unsigned codes[] = {200, 499, 500, 400, 504, 404, 409, 403, 429,
                                     412, 409, 400, 501, 500, 503, 500, 401};
    uint64_t code = yyjson_get_uint(json_member(status, SLICE("code")));
    if (code == 0)
        return is_create ? 201 : 200;
    return code < ARRAY_SIZE(codes) ? codes[code] : 500;
}

static unsigned code_of(const struct audit_event *event, yyjson_val *status)
{
    yyjson_val *code = audit_is_status(event->response) ? json_member(event->response, SLICE("code")) : NULL;
    if (yyjson_is_uint(code) && yyjson_get_uint(code) < 1000)
        return (unsigned)yyjson_get_uint(code);
    return code_of_rpc(status, slice_equal(event->verb, SLICE("create")));
}

static void read_payload(
    struct audit_event *event, const struct payload *payload, struct slice verb, struct arena *arena)
{
    event->verb = verb;
    event->user = text_of(payload->user, "principalEmail");
    event->user_agent = text_of(payload->metadata, "callerSuppliedUserAgent");
    event->manager = audit_manager_of_agent(event->user_agent, arena);
    event->object = object_of(json_text(payload->resource));
    event->request = without_type(payload->request, arena);
    event->response = without_type(payload->response, arena);
    if (audit_is_status(event->response))
        event->status = event->response;
    event->level = event->response && !event->status ? AUDIT_REQUEST_RESPONSE
        : event->request                             ? AUDIT_REQUEST
                                                     : AUDIT_METADATA;
    event->code = code_of(event, payload->status);
}

enum audit_decode gke_decode(
    yyjson_val *json, struct arena *arena, struct audit_event *event, struct error *error)
{
    static const struct json_wanted entry_members[] = {
        JSON_WANTED("insertId", struct entry, id), JSON_WANTED("labels", struct entry, labels),
        JSON_WANTED("protoPayload", struct entry, payload),
        JSON_WANTED("receiveTimestamp", struct entry, received),
        JSON_WANTED("timestamp", struct entry, timestamp)};
    static const struct json_wanted payload_members[] = {
        JSON_WANTED("@type", struct payload, type),
        JSON_WANTED("authenticationInfo", struct payload, user),
        JSON_WANTED("methodName", struct payload, method),
        JSON_WANTED("request", struct payload, request),
        JSON_WANTED("requestMetadata", struct payload, metadata),
        JSON_WANTED("resourceName", struct payload, resource),
        JSON_WANTED("response", struct payload, response),
        JSON_WANTED("serviceName", struct payload, service),
        JSON_WANTED("status", struct payload, status)};
    struct entry entry = {0};
    struct payload payload = {0};
    json_members(json, entry_members, ARRAY_SIZE(entry_members), &entry);
    json_members(entry.payload, payload_members, ARRAY_SIZE(payload_members), &payload);
    /* The project's log contains entries of other services, too. */
    if (!slice_equal(json_text(payload.type), SLICE(AUDIT_LOG)) ||
        !slice_equal(json_text(payload.service), SLICE("k8s.io")))
        return AUDIT_UNFINISHED;
    struct slice method = json_text(payload.method), verb = take_last(&method, '.');
    *event = (struct audit_event){
        .id = json_text(entry.id),
        .lacks_options = true,
        .is_dry_run = slice_equal(text_of(entry.labels, DRY_RUN_LABEL), SLICE("true")),
        .started = audit_time_to_microseconds(json_text(entry.timestamp), arena),
        .ended = audit_time_to_microseconds(json_text(entry.received), arena),
        .annotations = entry.labels,
    };
    read_payload(event, &payload, verb, arena);
    if (!arena_has_failed(arena))
        return AUDIT_DECODED;
    error_set_out_of_memory(error);
    return AUDIT_NO_EVENT;
}

#include "audit/event.h"

#include "audit/request_uri.h"
#include "base/count.h"
#include "base/json.h"
#include "base/text.h"

#include <string.h>

/* FieldManagerMaxLength (k8s.io/apimachinery, pkg/apis/meta/v1/validation). */
#define MANAGER_BYTES_MAX 128

struct members {
    yyjson_val *kind, *api_version, *level, *id, *stage, *uri, *verb, *user, *impersonated, *user_agent;
    yyjson_val *object, *status, *request, *response, *started, *ended;
};

/* In the API server's order. */
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
};

/* Requests to these are calls that leave the object as it is. */
static bool is_call(struct slice subresource)
{
    static const char *const calls[] = {"exec", "attach", "portforward", "proxy", "log", "token"};
    return slice_is_one_of(subresource, calls, COUNT(calls));
}

bool audit_is_write(const struct audit_event *event)
{
    static const char *const writes[] = {"create", "update", "patch", "delete", "deletecollection"};
    return slice_is_one_of(event->verb, writes, COUNT(writes)) && !is_call(event->object.subresource);
}

bool audit_is_done(const struct audit_event *event)
{
    return event->code >= 200 && event->code < 300 && !event->is_dry_run;
}

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

static struct audit_object object_of(yyjson_val *reference)
{
    return (struct audit_object){
        .resource = text_of(reference, "resource"),
        .namespace = text_of(reference, "namespace"),
        .name = text_of(reference, "name"),
        .uid = text_of(reference, "uid"),
        .group = text_of(reference, "apiGroup"),
        .version = text_of(reference, "apiVersion"),
        .subresource = text_of(reference, "subresource"),
    };
}

/* What the API server makes of a user agent (apiserver, handlers/create.go: prefixFromUserAgent). */
static struct slice manager_of_agent(struct slice agent, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    agent = slice_until(agent, slice_find(agent, '/'));
    for (size_t length; agent.length; agent = slice_from(agent, length)) {
        if (text_is_unprintable(text_character(agent, &length)))
            continue;
        if (text.length + length > MANAGER_BYTES_MAX)
            break;
        text_append(&text, slice_until(agent, length));
    }
    return text_slice(&text);
}

/* Who deletes or evicts can say so in the options that it sends, too. */
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
    event->is_forced = options.is_forced;
    event->is_dry_run = options.is_dry_run || is_dry_run_by_options(event->request);
    event->manager = options.manager.length ? options.manager : manager_of_agent(event->user_agent, arena);
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

enum audit_decode audit_decode(
    yyjson_val *json, bool is_item, struct arena *arena, struct audit_event *event, struct error *error)
{
    struct members found = {0};
    if (yyjson_is_obj(json))
        json_members(json, event_members, COUNT(event_members), &found);
    if (!yyjson_is_obj(json) || (!is_item && !is_event(&found))) {
        error_set(error, "it is no Event of audit.k8s.io/v1");
        return AUDIT_NO_EVENT;
    }
    if (!slice_equal(json_text(found.stage), SLICE("ResponseComplete")))
        return AUDIT_UNFINISHED;
    *event = (struct audit_event){
        .level = level_of(json_text(found.level)),
        .id = json_text(found.id),
        .verb = json_text(found.verb),
        .user = text_of(found.impersonated ? found.impersonated : found.user, "username"),
        .impersonator = text_of(found.impersonated ? found.user : NULL, "username"),
        .user_agent = json_text(found.user_agent),
        .object = object_of(found.object),
        .code = code_of(found.status),
        .started = json_text(found.started),
        .ended = json_text(found.ended),
        .request = found.request,
        .response = found.response,
        .status = found.status,
    };
    read_options(event, json_text(found.uri), arena);
    if (!arena_has_failed(arena))
        return AUDIT_DECODED;
    error_set(error, "there is no memory");
    return AUDIT_NO_EVENT;
}

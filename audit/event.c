#include "audit/event.h"

#include "base/array_size.h"
#include "base/digits.h"
#include "base/json.h"

/* Requests to these subresources leave the object as it is. */
static bool is_call(struct slice subresource)
{
    static const char *const calls[] = {"exec", "attach", "portforward", "proxy", "log", "token"};
    return slice_is_one_of(subresource, calls, ARRAY_SIZE(calls));
}

bool audit_is_of_kubernetes(struct slice group)
{
    return !slice_contains(group, '.') || slice_ends_with(group, SLICE(".k8s.io"));
}

bool audit_is_write(const struct audit_event *event)
{
    static const char *const writes[] = {"create", "update", "patch", "delete", "deletecollection"};
    return slice_is_one_of(event->verb, writes, ARRAY_SIZE(writes)) && !is_call(event->object.subresource);
}

bool audit_is_status(yyjson_val *response)
{
    return slice_equal(json_text(json_member(response, SLICE("kind"))), SLICE("Status"));
}

struct slice audit_time(const struct audit_event *event)
{
    return event->started.length ? event->started : event->ended;
}

struct slice audit_object_name(const struct audit_event *event)
{
    if (event->object.name.length || audit_is_status(event->response))
        return event->object.name;
    return json_text(json_metadata(event->response, SLICE("name")));
}

uint64_t audit_version_number(struct slice text)
{
    size_t number = 0;
    return digits_parse(text, &number) ? number : 0;
}

uint64_t audit_resource_version(yyjson_val *object)
{
    return audit_version_number(json_text(json_metadata(object, SLICE("resourceVersion"))));
}

uint64_t audit_generation(yyjson_val *object)
{
    yyjson_val *generation = json_metadata(object, SLICE("generation"));
    return yyjson_is_uint(generation) ? yyjson_get_uint(generation) : 0;
}

bool audit_is_done(const struct audit_event *event)
{
    return event->code >= 200 && event->code < 300 && !event->is_dry_run;
}

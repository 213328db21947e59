#include "webhook/review/scales.h"

#include "base/clock.h"
#include "policy/review/scale.h"
#include "webhook/api/lookups.h"
#include "webhook/review/request.h"

#include <stdio.h>
#include <stdlib.h>

struct waiting_scale {
    struct lookup_request lookup;
    struct loop_message message; /* by which the worker sends it back */
    struct loop *loop;
    const struct route *route;
    h2o_req_t *request;            /* NULL once its connection is gone */
    struct waiting_scale **holder; /* in the request's memory, which tells when it is freed */
};

static void on_request_freed(void *data)
{
    struct waiting_scale **holder = data;
    if (*holder)
        (*holder)->request = NULL;
}

static void on_done(struct lookup_request *lookup)
{
    struct waiting_scale *scale = H2O_STRUCT_FROM_MEMBER(struct waiting_scale, lookup, lookup);
    loop_send(scale->loop, &scale->message);
}

static bool copy_id(char id[LOOKUP_ID_BYTES], struct slice text)
{
    int length = snprintf(id, LOOKUP_ID_BYTES, "%.*s", (int)text.length, text.length ? text.bytes : "");
    return length >= 0 && length < LOOKUP_ID_BYTES;
}

static bool describe(struct lookup_request *lookup, const struct scale_target *target)
{
    const struct resource *resource = &target->resource;
    int length = snprintf(
        lookup->path, sizeof(lookup->path), "/apis/%.*s/%.*s/namespaces/%.*s/%.*s/%.*s",
        (int)resource->group.length, resource->group.bytes, (int)resource->version.length,
        resource->version.bytes, (int)target->namespace.length, target->namespace.bytes,
        (int)resource->name.length, resource->name.bytes, (int)target->name.length, target->name.bytes);
    return length > 0 && (size_t)length < sizeof(lookup->path) && copy_id(lookup->uid, target->uid) &&
        copy_id(lookup->resource_version, target->resource_version);
}

/* The request's memory is watched from here on, whatever becomes of the lookup. */
static bool ask(struct loop *loop, struct waiting_scale *scale, const struct scale_target *target)
{
    if (!describe(&scale->lookup, target))
        return false;
    scale->lookup.deadline = monotonic_milliseconds() + LOOKUP_MS;
    scale->lookup.done = on_done;
    scale->message.scale = scale;
    scale->holder =
        h2o_mem_alloc_shared(&scale->request->pool, sizeof(struct waiting_scale *), on_request_freed);
    *scale->holder = NULL;
    if (!lookups_ask(loop->shared->lookups, &scale->lookup))
        return false;
    *scale->holder = scale;
    loop->waiting++;
    return true;
}

bool scale_waits(
    struct loop *loop, const struct route *route, h2o_req_t *request, const struct verdict *verdict)
{
    struct scale_target target;
    if (!loop->shared->lookups || !scale_target_of(verdict->review, &target))
        return false;
    struct waiting_scale *scale = calloc(1, sizeof(*scale));
    if (scale) {
        scale->loop = loop;
        scale->route = route;
        scale->request = request;
        if (ask(loop, scale, &target))
            return true;
    }
    free(scale);
    counter_add(&loop->counters.lookups[LOOKUP_OVERLOADED], 1);
    return false;
}

static void report_failure(struct loop *loop, const struct lookup_request *lookup)
{
    if (!log_is_due(&loop->lookup_reported_at, monotonic_milliseconds()))
        return;
    struct log_line line = log_start(
        loop->shared->log, loop->arena, LOG_WARNING,
        "a scaled object could not be fetched, its scale is not judged");
    log_add_string(&line, "object", lookup->path);
    log_add_string(&line, "reason", lookup->error.message);
    log_end(&line);
    arena_reset(loop->arena);
}

/* Empty where there is none. */
static struct slice json_of(const struct lookup_request *lookup)
{
    return lookup->object ? secret_slice(&lookup->object->json) : (struct slice){0};
}

void scale_resume(struct loop *loop, struct loop_message *message)
{
    struct waiting_scale *scale = message->scale;
    struct lookup_request *lookup = &scale->lookup;
    loop->waiting--;
    counter_add(&loop->counters.lookups[lookup->outcome], 1);
    if (lookup->outcome == LOOKUP_FAILED)
        report_failure(loop, lookup);
    if (scale->request) {
        *scale->holder = NULL;
        review_resume(loop, scale->route, scale->request, json_of(lookup));
    }
    looked_up_release(lookup->object);
    free(scale);
}

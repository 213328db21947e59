#include "webhook/review/scales.h"

#include "policy/review/scale.h"
#include "system/clock.h"
#include "webhook/api/lookups.h"
#include "webhook/review/reviewer.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct waiting_scale {
    struct loop_message message; /* the worker sends it back by this message; the first member, so that the
                                    scale is found by it */
    struct lookup_request lookup;
    struct loop *loop;
    struct http_request *request; /* NULL after its connection has closed */
    struct http_watch *watch;     /* as long as the request exists */
    scale_known *known;
};

static void on_gone(void *data)
{
    struct waiting_scale *scale = data;
    scale->request = NULL;
}

static void on_done(struct lookup_request *lookup)
{
    struct waiting_scale *scale =
        (struct waiting_scale *)(void *)((char *)lookup - offsetof(struct waiting_scale, lookup));
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

static loop_deliver resume;

/* The request is watched from here on, even if the look-up cannot start. */
static bool ask(struct waiting_scale *scale, struct lookups *lookups, const struct scale_target *target)
{
    if (!describe(&scale->lookup, target))
        return false;
    scale->lookup.deadline = monotonic_milliseconds() + LOOKUP_MS;
    scale->lookup.done = on_done;
    scale->message.deliver = resume;
    scale->watch = http_watch(scale->request, NULL, scale);
    if (!lookups_ask(lookups, &scale->lookup))
        return false;
    scale->watch->gone = on_gone;
    scale->loop->awaited++;
    return true;
}

bool scale_waits(struct http_request *request, const struct verdict *verdict, scale_known *known)
{
    struct reviewer *reviewer = reviewer_of(request);
    struct scale_target target;
    if (!reviewer->service->lookups || !scale_target_of(verdict->review, &target))
        return false;
    struct waiting_scale *scale = calloc(1, sizeof(*scale));
    if (scale) {
        scale->loop = request->loop;
        scale->request = request;
        scale->known = known;
        if (ask(scale, reviewer->service->lookups, &target))
            return true;
    }
    free(scale);
    counter_add(&reviewer->counters.lookups[LOOKUP_OVERLOADED], 1);
    return false;
}

static void report_failure(struct loop *loop, const struct lookup_request *lookup)
{
    struct reviewer *reviewer = loop->data;
    if (!log_is_due(&reviewer->lookup_reported_at, monotonic_milliseconds()))
        return;
    struct log_line line = log_start(
        loop->shared->log, loop->arena, LOG_WARNING,
        "a scaled object could not be fetched, its scale is not judged");
    log_add_string(&line, "object", lookup->path);
    log_add_string(&line, "reason", lookup->error.message);
    log_end(&line);
    arena_reset(loop->arena);
}

/* Empty if the look-up found no object. */
static struct slice json_of(const struct lookup_request *lookup)
{
    return lookup->object ? secret_slice(&lookup->object->json) : (struct slice){0};
}

/* Frees the scale, which contains the message. */
static void resume(struct loop *loop, struct loop_message *message)
{
    struct waiting_scale *scale = (struct waiting_scale *)message;
    struct lookup_request *lookup = &scale->lookup;
    struct reviewer *reviewer = loop->data;
    loop->awaited--;
    counter_add(&reviewer->counters.lookups[lookup->outcome], 1);
    if (lookup->outcome == LOOKUP_FAILED)
        report_failure(loop, lookup);
    if (scale->request) {
        scale->watch->gone = NULL;
        scale->known(scale->request, json_of(lookup));
    }
    looked_up_release(lookup->object);
    free(scale);
}

#include "audit/objects.h"

#include "audit/explained.h"
#include "audit/objects_signs.h"
#include "audit/objects_state.h"
#include "base/array_size.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

/* How many writes in a row without a sign end the doubt that the log lacks writes to an object. */
#define DOUBTS ((unsigned)16)

struct audit_objects *audit_objects_create(size_t bytes_max)
{
    struct audit_objects *objects = calloc(1, sizeof(*objects));
    if (!objects)
        return NULL;
    objects->kept.bytes_max = bytes_max;
    objects->arena = arena_create();
    if (objects->arena)
        return objects;
    free(objects);
    return NULL;
}

void audit_objects_free(struct audit_objects *objects)
{
    if (!objects)
        return;
    kept_objects_release(&objects->kept);
    arena_destroy(objects->arena);
    free(objects);
}

/*
 * Responses
 */

static struct slice kind_of(const struct audit_event *event)
{
    return json_text(json_member(event->response, SLICE("kind")));
}

static bool is_of_meta(const struct audit_event *event)
{
    return slice_starts_with(objects_api_version(event), SLICE("meta.k8s.io/"));
}

bool audit_is_partial(const struct audit_event *event)
{
    return is_of_meta(event) &&
        (slice_equal(kind_of(event), SLICE("PartialObjectMetadata")) ||
         slice_equal(kind_of(event), SLICE("Table")));
}

bool audit_is_whole(const struct audit_event *event)
{
    static const char *const subresources[] = {
        "", "status", "finalize", "approval", "ephemeralcontainers", "resize"};
    return slice_is_one_of(event->object.subresource, subresources, ARRAY_SIZE(subresources)) &&
        !audit_is_status(event->response) && !is_of_meta(event) && kind_of(event).length &&
        json_text(json_metadata(event->response, SLICE("uid"))).length;
}

/*
 * The object before
 */

static enum audit_before use(const struct kept_object *kept, struct arena *arena, yyjson_val **object)
{
    *object = json_parse(kept->json, arena);
    return *object ? AUDIT_BEFORE_KNOWN : AUDIT_BEFORE_NO_MEMORY;
}

/* Whether the versions of both responses, and the version that the request expects, follow each other. */
static bool is_next(
    const struct kept_object *kept, const struct audit_event *event, enum expected_version expected)
{
    uint64_t version = audit_resource_version(event->response);
    if (expected == EXPECTED_OTHER || (expected == EXPECTED_ANY && kept->is_stale))
        return false;
    /* The response to a dry run has the version before it. */
    if (event->is_dry_run)
        return version == kept->version;
    /* If a later one that changed nothing comes first, this one may have made the version. */
    if (version == kept->version)
        return (!kept->is_read || expected == EXPECTED_THIS) && !objects_is_earlier(kept, event);
    return version > kept->version;
}

/*
 * Whether the log has each write of any object between the kept one and a revision: then none is missing. A
 * delete does not say which revision it made.
 */
static bool has_all_between(
    const struct audit_objects *objects, const struct kept_object *kept, uint64_t last)
{
    uint64_t missing = 0, removals = objects->removals - kept->removals;
    if (last - kept->version > REVISIONS)
        return false;
    for (uint64_t revision = kept->version + 1; revision < last; revision++)
        missing += objects->revisions[revision % REVISIONS] != revision;
    return missing <= removals;
}

/* Whether a write between, if the log lacks it, would not show in the response. */
static bool may_be_hidden(
    const struct audit_objects *objects, const struct kept_object *kept, const struct audit_event *event,
    yyjson_val *before)
{
    return !event->is_dry_run && (kept->doubts || audit_may_hide_write(event, before)) &&
        !has_all_between(objects, kept, audit_resource_version(event->response));
}

/* Whether the response shows that the log lacks a write between. */
static bool has_sign(
    const struct kept_object *kept, const struct audit_event *event, enum expected_version expected,
    yyjson_val *before, struct arena *arena)
{
    if (!event->is_dry_run && audit_resource_version(event->response) == kept->version)
        return !json_equal(before, event->response, arena);
    return expected != EXPECTED_THIS && shows_other_write(event, before, kept_time(kept->left), arena);
}

/* A write that another one may be hidden behind is no sign, so it does not prolong the doubt. */
static enum audit_before compare(
    const struct audit_objects *objects, struct kept_object *kept, const struct audit_event *event,
    enum expected_version expected, yyjson_val *before, struct arena *arena)
{
    bool is_same_version = audit_resource_version(event->response) == kept->version;
    bool is_sign = has_sign(kept, event, expected, before, arena);
    bool is_hidden = !is_sign && !is_same_version && expected != EXPECTED_THIS &&
        may_be_hidden(objects, kept, event, before);
    if (arena_has_failed(arena))
        return AUDIT_BEFORE_NO_MEMORY;
    if (is_sign)
        kept->doubts = DOUBTS;
    else if (kept->doubts)
        kept->doubts--;
    return is_sign ? AUDIT_BEFORE_GAP : is_hidden ? AUDIT_BEFORE_DOUBTFUL : AUDIT_BEFORE_KNOWN;
}

static struct kept_object *find(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena,
    enum audit_before *missing)
{
    struct kept_key key;
    *missing = AUDIT_BEFORE_NO_MEMORY;
    if (!objects_key(event, arena, &key))
        return NULL;
    struct kept_object *kept = kept_objects_find(&objects->kept, &key);
    bool is_forgotten = kept_objects_has_forgotten(&objects->kept, &key);
    *missing = is_forgotten ? AUDIT_BEFORE_FORGOTTEN : AUDIT_BEFORE_FIRST_SEEN;
    return kept && objects_is_same(kept, event) ? kept : NULL;
}

/* Why the object before is unknown. */
static enum audit_before unknown_of(const struct kept_object *kept)
{
    if (!kept->is_stale || kept->is_missed)
        return AUDIT_BEFORE_GAP;
    return kept->is_scaled ? AUDIT_BEFORE_SCALED : AUDIT_BEFORE_UNANSWERED;
}

enum audit_before audit_objects_before(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena, yyjson_val **object)
{
    enum audit_before result;
    if (event->code == 201 && !event->object.subresource.length)
        return AUDIT_BEFORE_NONE;
    struct kept_object *kept = find(objects, event, arena, &result);
    if (!kept)
        return result;
    kept = objects_base(objects, kept, event);
    enum expected_version expected = expected_version_of(event, kept->version);
    if (!is_next(kept, event, expected)) {
        /* An older response came out of order, which does not show that a write is missing. */
        if (!kept->is_stale && !objects_is_older(kept, event))
            kept->doubts = DOUBTS;
        return unknown_of(kept);
    }
    if (!slice_equal(kept->api_version, objects_api_version(event)))
        return AUDIT_BEFORE_VERSION;
    result = use(kept, arena, object);
    return result == AUDIT_BEFORE_KNOWN ? compare(objects, kept, event, expected, *object, arena) : result;
}

enum audit_before audit_objects_before_scale(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena, yyjson_val **object,
    struct slice *json)
{
    enum audit_before result;
    struct kept_object *kept = find(objects, event, arena, &result);
    if (!kept)
        return result;
    kept = objects_base(objects, kept, event);
    if (!is_next(kept, event, expected_version_of(event, kept->version)))
        return unknown_of(kept);
    *json = arena_copy(arena, kept->json);
    return json->bytes ? use(kept, arena, object) : AUDIT_BEFORE_NO_MEMORY;
}

yyjson_val *audit_objects_seen(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena)
{
    enum audit_before ignored;
    struct kept_object *kept = find(objects, event, arena, &ignored);
    uint64_t user = kept_hash(event->user);
    if (kept && objects_base(objects, kept, event) != kept)
        return NULL;
    for (size_t i = 0; kept && kept->former.length && i < KEPT_SEERS_MAX && kept->seers[i].time[0]; i++) {
        const struct kept_seer *seer = &kept->seers[i];
        if (seer->user != user)
            continue;
        bool is_old = memcmp(seer->time, kept->changed, KEPT_TIME_BYTES) < 0;
        return is_old ? json_parse(kept->former, arena) : NULL;
    }
    return NULL;
}

#include "audit/objects.h"

#include "audit/objects_state.h"
#include "base/json.h"

#include <string.h>

/* Moves the user to the front. */
static void note_seer(struct kept_object *kept, const struct audit_event *event)
{
    struct kept_seer seer = {.user = kept_hash(event->user)};
    size_t place = 0;
    kept_time_copy(seer.time, event->ended);
    while (place < KEPT_SEERS_MAX - 1 && kept->seers[place].user != seer.user)
        place++;
    memmove(&kept->seers[1], &kept->seers[0], place * sizeof(kept->seers[0]));
    kept->seers[0] = seer;
}

/*
 * The object before the next one. If the generation shows that the spec did not change, it stays; without a
 * generation, each write may have changed the spec.
 */
static struct slice former_of(
    const struct kept_object *before, const struct audit_event *event, bool *is_changed)
{
    bool is_same = before && objects_is_same(before, event);
    *is_changed = !is_same || !before->generation || before->generation != audit_generation(event->response);
    if (!is_same)
        return (struct slice){NULL, 0};
    return *is_changed ? before->json : before->former;
}

static struct kept_object *make_next(
    const struct kept_object *before, const struct audit_event *event, const struct kept_key *key,
    struct slice json)
{
    bool is_changed;
    struct slice former = former_of(before, event, &is_changed);
    struct slice uid = json_text(json_metadata(event->response, SLICE("uid")));
    struct kept_object *kept = kept_object_make(key, uid, objects_api_version(event), json, former);
    if (!kept)
        return NULL;
    kept->version = audit_resource_version(event->response);
    kept->generation = audit_generation(event->response);
    if (before)
        memcpy(kept->seers, before->seers, sizeof(kept->seers));
    if (before && objects_is_same(before, event))
        kept->doubts = before->doubts;
    if (!before || is_changed)
        kept_time_copy(kept->changed, event->ended);
    else
        memcpy(kept->changed, before->changed, sizeof(kept->changed));
    kept_time_copy(kept->left, event->ended);
    note_seer(kept, event);
    return kept;
}

/* Returns no bytes if memory runs out. */
static struct slice text_of_response(const struct audit_event *event, struct arena *arena)
{
    return event->response_text.length ? event->response_text : json_write(event->response, arena);
}

/* Returns NULL if memory runs out. */
static struct kept_object *make_object(
    struct audit_objects *objects, const struct audit_event *event, const struct kept_key *key,
    const struct kept_object *before)
{
    struct slice json = text_of_response(event, objects->arena);
    struct kept_object *kept = json.bytes ? make_next(before, event, key, json) : NULL;
    if (kept)
        kept->removals = objects->removals;
    return kept;
}

static bool keep(
    struct audit_objects *objects, const struct audit_event *event, const struct kept_key *key,
    const struct kept_object *before, bool is_read)
{
    struct kept_object *kept = make_object(objects, event, key, before);
    if (!kept)
        return false;
    kept->is_read = is_read;
    kept_objects_put(&objects->kept, kept);
    return true;
}

/* Remembers the object of a write that was stored before the kept one, and ended after it. */
static bool keep_older(
    struct audit_objects *objects, const struct audit_event *event, const struct kept_key *key,
    struct kept_object *kept)
{
    struct kept_object *before = objects_base(objects, kept, event), *older;
    note_seer(kept, event);
    if (before == kept)
        return true;
    older = make_object(objects, event, key, before);
    if (older)
        kept_objects_put_replaced(&objects->kept, older);
    return older;
}

/* Whether a read shows writes that the log lacks. It shows only these. */
static bool is_news(const struct kept_object *kept, const struct audit_event *event)
{
    return !kept || (kept->is_stale && !objects_is_older(kept, event));
}

/* Also if the log lacks the object that was read. */
static bool is_read(const struct audit_event *event)
{
    return slice_equal(event->verb, SLICE("get")) && event->code == 200 && !event->object.subresource.length;
}

void audit_objects_see(struct audit_objects *objects, const struct audit_event *event)
{
    if (!event->response || !audit_is_write(event) || !audit_is_done(event))
        return;
    uint64_t revision = audit_resource_version(event->response);
    if (slice_equal(event->verb, SLICE("delete")) && audit_is_status(event->response))
        objects->removals++;
    else
        objects->revisions[revision % REVISIONS] = revision;
}

/* Whether a read or a dry run shows a later object, which a write made that the log lacks so far. */
static bool shows_later(const struct kept_object *kept, const struct audit_event *event)
{
    return objects_is_same(kept, event) && audit_resource_version(event->response) > kept->version;
}

/* The write changed the object, and the log does not show how it left it. */
static void note_unknown(struct kept_object *kept, const struct audit_event *event)
{
    bool is_scale = slice_equal(event->object.subresource, SLICE("scale"));
    kept->is_scaled = is_scale && (kept->is_scaled || !kept->is_stale);
    kept->is_stale = true;
}

static bool follow_shown(
    struct audit_objects *objects, const struct audit_event *event, const struct kept_key *key,
    struct kept_object *kept, bool is_write)
{
    bool is_later = !is_write && kept && shows_later(kept, event);
    if (event->is_dry_run && is_later)
        kept->is_stale = kept->is_missed = true;
    if (event->is_dry_run)
        return true;
    if (is_write ? !kept || !objects_is_older(kept, event) : is_later || is_news(kept, event))
        return keep(objects, event, key, kept, !is_write);
    if (is_write)
        return keep_older(objects, event, key, kept);
    note_seer(kept, event);
    return true;
}

/*
 * The response is not the object. That to a delete is the object if the object waits for its finalizers. A
 * Scale has the version of its object, which may be kept already, with a later change.
 */
static void follow_unshown(
    struct audit_objects *objects, const struct audit_event *event, struct kept_object *kept, bool is_write)
{
    if (!is_write || objects_is_older(kept, event))
        note_seer(kept, event);
    else if (slice_equal(event->verb, SLICE("delete")))
        kept_objects_drop(&objects->kept, kept);
    else
        note_unknown(kept, event);
}

bool audit_objects_follow(struct audit_objects *objects, const struct audit_event *event)
{
    bool is_write = audit_is_write(event) && audit_is_done(event), is_whole = audit_is_whole(event);
    bool is_followed = is_write || is_read(event) || (event->is_dry_run && is_whole);
    bool has_object = event->response || objects->kept.newest;
    struct kept_key key;
    if (!is_followed || !event->object.resource.length || !has_object)
        return true;
    arena_reset(objects->arena);
    if (!objects_key(event, objects->arena, &key))
        return false;
    struct kept_object *kept = kept_objects_find(&objects->kept, &key);
    if (is_whole)
        return follow_shown(objects, event, &key, kept, is_write);
    if (kept)
        follow_unshown(objects, event, kept, is_write);
    return true;
}

#include "audit/objects.h"

#include "audit/explained.h"
#include "audit/kept_objects.h"
#include "audit/objects_signs.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* How many writes in a row without a sign end the doubt that the log lacks writes to an object. */
#define DOUBTS ((unsigned)16)

/* The number of the latest revisions that are remembered; revisions of other writes lie between. */
#define REVISIONS ((size_t)1 << 14)

struct audit_objects {
    struct kept_objects kept;
    struct arena *arena;           /* for one call */
    uint64_t revisions[REVISIONS]; /* that the log has, each at its place */
    uint64_t removals;             /* how many objects were deleted */
};

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
 * Kept objects
 */

static struct slice kind_of(const struct audit_event *event)
{
    return json_text(json_member(event->response, SLICE("kind")));
}

static struct slice api_version_of(const struct audit_event *event)
{
    return json_text(json_member(event->response, SLICE("apiVersion")));
}

/* Returns false if memory runs out. */
static bool key_of(const struct audit_event *event, struct arena *arena, struct kept_key *key)
{
    const struct slice parts[] = {
        event->object.group, event->object.resource, event->object.namespace, audit_object_name(event)};
    struct text text = text_start(arena, 128);
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
        text_append(&text, parts[i]);
        text_append(&text, (struct slice){"", 1});
    }
    key->text = text_slice(&text);
    if (!key->text.bytes)
        return false;
    key->hash = kept_hash(key->text);
    return true;
}

static void copy_time(char bytes[KEPT_TIME_BYTES], struct slice time)
{
    memset(bytes, 0, KEPT_TIME_BYTES);
    time = slice_until(time, KEPT_TIME_BYTES);
    if (time.length)
        memcpy(bytes, time.bytes, time.length);
}

static struct slice time_of(const char bytes[KEPT_TIME_BYTES])
{
    return (struct slice){bytes, strnlen(bytes, KEPT_TIME_BYTES)};
}

/* Moves the user to the front. */
static void note_seer(struct kept_object *kept, const struct audit_event *event)
{
    struct kept_seer seer = {.user = kept_hash(event->user)};
    size_t place = 0;
    copy_time(seer.time, event->ended);
    while (place < KEPT_SEERS_MAX - 1 && kept->seers[place].user != seer.user)
        place++;
    memmove(&kept->seers[1], &kept->seers[0], place * sizeof(kept->seers[0]));
    kept->seers[0] = seer;
}

/*
 * Responses
 */

static bool is_of_meta(const struct audit_event *event)
{
    return slice_starts_with(api_version_of(event), SLICE("meta.k8s.io/"));
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

static enum audit_before use(const struct kept_object *kept, struct arena *arena, yyjson_val **object)
{
    yyjson_doc *document = json_read(kept->json, YYJSON_READ_NOFLAG, arena, NULL);
    if (!document)
        return AUDIT_BEFORE_NO_MEMORY;
    *object = yyjson_doc_get_root(document);
    return AUDIT_BEFORE_KNOWN;
}

/* Whether the request ended before the one that left or showed the kept object. */
static bool is_earlier(const struct kept_object *kept, const struct audit_event *event)
{
    return event->ended.length &&
        slice_compare(slice_until(event->ended, KEPT_TIME_BYTES), time_of(kept->left)) < 0;
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
        return (!kept->is_read || expected == EXPECTED_THIS) && !is_earlier(kept, event);
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
    return expected != EXPECTED_THIS && shows_other_write(event, before, time_of(kept->left), arena);
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

static bool is_same_uid(const struct kept_object *kept, const struct audit_event *event)
{
    return slice_equal(kept->uid, json_text(json_metadata(event->response, SLICE("uid"))));
}

static struct kept_object *find(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena,
    enum audit_before *missing)
{
    struct kept_key key;
    *missing = AUDIT_BEFORE_NO_MEMORY;
    if (!key_of(event, arena, &key))
        return NULL;
    struct kept_object *kept = kept_objects_find(&objects->kept, &key);
    bool is_forgotten = kept_objects_has_forgotten(&objects->kept, &key);
    *missing = is_forgotten ? AUDIT_BEFORE_FORGOTTEN : AUDIT_BEFORE_FIRST_SEEN;
    return kept && is_same_uid(kept, event) ? kept : NULL;
}

static bool is_older(const struct kept_object *kept, const struct audit_event *event)
{
    return is_same_uid(kept, event) && audit_resource_version(event->response) < kept->version;
}

/* Whether the request began before the one ended that left or showed the kept object, and ended after it. */
static bool overlaps(const struct kept_object *kept, const struct audit_event *event)
{
    return event->started.length && !is_earlier(kept, event) &&
        slice_compare(slice_until(event->started, KEPT_TIME_BYTES), time_of(kept->left)) < 0;
}

/*
 * The object to compare the response with. A write may be stored before another one and end after it: then
 * the kept object is a later one, and a replaced object is the one before. A read may show the object before
 * the write that made it ends.
 */
static struct kept_object *base_of(
    const struct audit_objects *objects, struct kept_object *kept, const struct audit_event *event)
{
    uint64_t version = audit_resource_version(event->response);
    bool is_shown = kept->is_read && !event->is_dry_run && version == kept->version;
    if (!version || !(is_shown || is_older(kept, event)) || !overlaps(kept, event))
        return kept;
    struct kept_object *replaced = kept_objects_find_replaced(
        &objects->kept, &kept->key, kept->uid, event->is_dry_run ? version : version - 1);
    return replaced ? replaced : kept;
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
    kept = base_of(objects, kept, event);
    enum expected_version expected = expected_version_of(event, kept->version);
    if (!is_next(kept, event, expected)) {
        /* An older response came out of order, which does not show that a write is missing. */
        if (!kept->is_stale && !is_older(kept, event))
            kept->doubts = DOUBTS;
        return unknown_of(kept);
    }
    if (!slice_equal(kept->api_version, api_version_of(event)))
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
    kept = base_of(objects, kept, event);
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
    if (kept && base_of(objects, kept, event) != kept)
        return NULL;
    for (size_t i = 0; kept && kept->former.length && i < KEPT_SEERS_MAX && kept->seers[i].time[0]; i++) {
        const struct kept_seer *seer = &kept->seers[i];
        if (seer->user != user)
            continue;
        bool is_old = memcmp(seer->time, kept->changed, KEPT_TIME_BYTES) < 0;
        return is_old ? yyjson_doc_get_root(json_read(kept->former, YYJSON_READ_NOFLAG, arena, NULL)) : NULL;
    }
    return NULL;
}

/*
 * Remembered state
 */

/*
 * The object before the next one. If the generation shows that the spec did not change, it stays; without a
 * generation, each write may have changed the spec.
 */
static struct slice former_of(
    const struct kept_object *before, const struct audit_event *event, bool *is_changed)
{
    bool is_same = before && is_same_uid(before, event);
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
    struct kept_object *kept = kept_object_make(key, uid, api_version_of(event), json, former);
    if (!kept)
        return NULL;
    kept->version = audit_resource_version(event->response);
    kept->generation = audit_generation(event->response);
    if (before)
        memcpy(kept->seers, before->seers, sizeof(kept->seers));
    if (before && is_same_uid(before, event))
        kept->doubts = before->doubts;
    if (is_changed)
        copy_time(kept->changed, event->ended);
    else
        memcpy(kept->changed, before->changed, sizeof(kept->changed));
    copy_time(kept->left, event->ended);
    note_seer(kept, event);
    return kept;
}

/* Returns NULL if memory runs out. */
static struct kept_object *make_object(
    struct audit_objects *objects, const struct audit_event *event, const struct kept_key *key,
    const struct kept_object *before)
{
    yyjson_alc allocator = arena_yyjson(objects->arena);
    size_t length = 0;
    const char *json = yyjson_val_write_opts(event->response, 0, &allocator, &length, NULL);
    struct kept_object *kept = json ? make_next(before, event, key, (struct slice){json, length}) : NULL;
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
    struct kept_object *before = base_of(objects, kept, event), *older;
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
    return !kept || (kept->is_stale && !is_older(kept, event));
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
    return is_same_uid(kept, event) && audit_resource_version(event->response) > kept->version;
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
    if (is_write ? !kept || !is_older(kept, event) : is_later || is_news(kept, event))
        return keep(objects, event, key, kept, !is_write);
    if (is_write)
        return keep_older(objects, event, key, kept);
    note_seer(kept, event);
    return true;
}

/* The response is not the object. That to a delete is the object if the object waits for its finalizers. */
static void follow_unshown(
    struct audit_objects *objects, const struct audit_event *event, struct kept_object *kept, bool is_write)
{
    if (!is_write)
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
    if (!key_of(event, objects->arena, &key))
        return false;
    struct kept_object *kept = kept_objects_find(&objects->kept, &key);
    if (is_whole)
        return follow_shown(objects, event, &key, kept, is_write);
    if (kept)
        follow_unshown(objects, event, kept, is_write);
    return true;
}

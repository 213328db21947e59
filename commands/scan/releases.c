#include "commands/scan/releases.h"

#include "apply/upgrade.h"
#include "base/json.h"
#include "commands/scan/facts.h"
#include "commands/scan/release.h"
#include "commands/scan/released.h"
#include "manifest/each_object.h"
#include "manifest/write.h"
#include "policy/review/ownership.h"
#include "policy/verdict/finding.h"

#include <stdlib.h>

struct revision {
    struct slice release; /* its namespace and name, each with a NUL behind it */
    uint64_t number;
    struct slice packed;
    bool is_wanted; /* there are objects to compare with */
};

void scan_releases_start(struct scan_releases *releases, struct arena *arena)
{
    *releases = (struct scan_releases){
        .arena = arena,
        .revisions = {.arena = arena, .record_bytes = sizeof(struct revision)},
        .objects = {.arena = arena, .record_bytes = sizeof(struct scan_released)},
    };
}

/* Copies bytes within the limit. Returns false if memory runs out; a copy without bytes is beyond the limit.
 */
static bool keep(struct scan_releases *releases, struct slice bytes, struct slice *copy)
{
    *copy = (struct slice){NULL, 0};
    if (bytes.length > SCAN_RELEASES_BYTES_MAX - releases->bytes) {
        releases->unread++;
        return true;
    }
    *copy = arena_copy(releases->arena, bytes);
    releases->bytes += bytes.length;
    return copy->bytes != NULL;
}

/* Keeps the newest deployed revision. */
static bool add_revision(
    struct scan_releases *releases, const struct review *review, const struct scan_revision *found)
{
    struct slice key = scan_key((const struct slice[]){found->namespace, found->name}, 2, review->arena);
    struct revision *revision = key.bytes ? name_table_add(&releases->revisions, key) : NULL;
    if (!revision)
        return false;
    if (revision->number >= found->number)
        return true;
    struct slice packed = scan_revision_packed(review);
    revision->number = found->number;
    revision->packed = (struct slice){NULL, 0};
    if (arena_has_failed(review->arena))
        return false;
    if (packed.length)
        return keep(releases, packed, &revision->packed);
    releases->unread++;
    return true;
}

bool scan_releases_add(struct scan_releases *releases, const struct review *review)
{
    struct scan_revision revision;
    return !scan_revision_find(review, &revision) || add_revision(releases, review, &revision);
}

/* Copies the managers that may lose fields. Returns false if memory runs out. */
static bool keep_losers(
    struct scan_released *object, const struct review *review, const struct scan_release_object *found,
    struct arena *arena)
{
    const struct managed_fields *side = &review->ownership.after;
    object->losers = arena_allocate_array(arena, side->count, sizeof(*object->losers));
    for (size_t i = 0; object->losers && i < side->count; i++) {
        const struct manager *manager = &side->entries[i].manager;
        if (scan_released_may_lose(review, &side->entries[i], found))
            object->losers[object->loser_count++] = (struct manager){
                arena_copy(arena, manager->name), manager->operation,
                arena_copy(arena, manager->subresource)};
    }
    return object->losers && !arena_has_failed(arena);
}

static bool add_object(
    struct scan_releases *releases, const struct review *review, const struct scan_release_object *found,
    struct slice json, bool *is_kept)
{
    struct arena *arena = releases->arena;
    struct slice key = scan_key(
        (const struct slice[]){
            json_text(review->parts.api_version), review->kind, review->namespace, review->name},
        4, review->arena);
    struct scan_released *object = key.bytes ? name_table_add(&releases->objects, key) : NULL;
    if (!object)
        return false;
    /* The same object of another input. */
    *is_kept = !object->json.bytes;
    if (!*is_kept)
        return true;
    *object = (struct scan_released){
        .key = object->key,
        .release = scan_key((const struct slice[]){found->namespace, found->name}, 2, arena),
        .json = json,
        .applier = arena_copy(arena, review->ownership.writer.manager.name),
        .upgrade.is_refused = found->is_refused,
    };
    return object->release.bytes && keep_losers(object, review, found, arena);
}

bool scan_releases_keep(struct scan_releases *releases, const struct review *review, bool *is_kept)
{
    struct scan_release_object found;
    struct slice copy;
    *is_kept = false;
    if (!scan_released_find(review, &found))
        return true;
    struct slice json = scan_released_json(review);
    if (!json.bytes || !keep(releases, json, &copy))
        return false;
    return !copy.bytes || add_object(releases, review, &found, copy, is_kept);
}

/*
 * Comparing
 */

struct comparison {
    struct scan_releases *releases;
    const struct revision *revision;
    struct arena *arena; /* of one object */
    size_t unpacked;     /* bytes of all releases so far */
    bool is_incomplete;
    bool is_out_of_memory;
};

static struct scan_released *find_in(
    const struct comparison *comparison, const struct manifest_object *object, struct slice namespace)
{
    struct slice key = scan_key(
        (const struct slice[]){object->api_version, object->kind, namespace, object->name}, 4,
        comparison->arena);
    struct scan_released *found = key.bytes ? name_table_find(&comparison->releases->objects, key) : NULL;
    bool is_own = found && slice_equal(found->release, comparison->revision->release);
    return is_own && !found->is_compared ? found : NULL;
}

/* Objects of the manifest are in the release's namespace unless they name another one, or have none. */
static struct scan_released *find_object(
    const struct comparison *comparison, const struct manifest_object *object)
{
    struct slice release = comparison->revision->release;
    struct slice namespace =
        object->namespace.length ? object->namespace : slice_until(release, slice_find(release, '\0'));
    struct scan_released *found = find_in(comparison, object, namespace);
    return found ? found : find_in(comparison, object, SLICE(""));
}

static bool is_one_of(const struct manager *manager, const struct manager *managers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (manager_equal(&managers[i], manager))
            return true;
    return false;
}

static void add_owner(struct stored_upgrade *upgrade, struct manager *owners, const struct manager *manager)
{
    if (upgrade->owner_count < FINDING_PREVIOUS_OWNERS_MAX &&
        !is_one_of(manager, upgrade->owners, upgrade->owner_count))
        owners[upgrade->owner_count++] = *manager;
}

static void add_field(struct stored_upgrade *upgrade, struct slice *fields, struct slice path)
{
    if (slice_is_in(path, fields, upgrade->field_count))
        return;
    upgrade->field_total++;
    if (upgrade->field_count < FINDING_FIELDS_MAX)
        fields[upgrade->field_count++] = path;
}

/* Fills the upgrade; its texts are still those of the comparison's arena. */
static void take(
    struct scan_released *object, const struct upgrade *found, struct slice *fields, struct manager *owners)
{
    struct stored_upgrade *upgrade = &object->upgrade;
    upgrade->fields = fields;
    upgrade->owners = owners;
    for (size_t i = 0; i < found->count; i++) {
        const struct upgrade_loss *loss = &found->losses[i];
        if (!is_one_of(&loss->manager, object->losers, object->loser_count))
            continue;
        add_field(upgrade, fields, loss->path);
        add_owner(upgrade, owners, &loss->manager);
    }
}

/* The texts of the upgrade outlive the comparison. Returns false if memory runs out. */
static bool keep_upgrade(
    struct stored_upgrade *upgrade, struct slice *fields, struct manager *owners, struct arena *arena)
{
    for (size_t i = 0; i < upgrade->field_count; i++)
        fields[i] = arena_copy(arena, fields[i]);
    for (size_t i = 0; i < upgrade->owner_count; i++) {
        owners[i].name = arena_copy(arena, owners[i].name);
        owners[i].subresource = arena_copy(arena, owners[i].subresource);
    }
    return !arena_has_failed(arena);
}

static bool note(struct comparison *comparison, struct scan_released *object, const struct upgrade *found)
{
    struct arena *arena = comparison->releases->arena;
    struct slice *fields = arena_allocate_array(arena, FINDING_FIELDS_MAX, sizeof(*fields));
    struct manager *owners = arena_allocate_array(arena, FINDING_PREVIOUS_OWNERS_MAX, sizeof(*owners));
    if (!fields || !owners)
        return false;
    take(object, found, fields, owners);
    return keep_upgrade(&object->upgrade, fields, owners, arena);
}

/* The object in the manifest, for the rules. */
static bool keep_manifest(
    struct comparison *comparison, const struct manifest_object *manifest, struct scan_released *object)
{
    struct slice json = manifest_json(manifest->root, comparison->arena);
    return json.bytes && keep(comparison->releases, json, &object->manifest);
}

static bool compare_object(
    struct comparison *comparison, const struct manifest_object *manifest, struct scan_released *object)
{
    yyjson_val *kept = json_parse(object->json, comparison->arena);
    const struct apply_question question = {
        .manifest = manifest,
        .live = json_member(kept, SLICE("object")),
        .applier = APPLY_HELM,
        .manager = object->applier,
        .has_previous = true,
    };
    struct upgrade found = {0};
    struct error error = {0};
    /* A hostile manifest may have the object many times. */
    object->is_compared = true;
    int result = question.live ? upgrade_find(&question, comparison->arena, &found, &error) : -1;
    if (result < 0)
        return false;
    return result > 0 || (keep_manifest(comparison, manifest, object) && note(comparison, object, &found));
}

static void visit(void *context, const char *path, const struct manifest_object *manifest)
{
    struct comparison *comparison = context;
    (void)path;
    if (comparison->is_out_of_memory)
        return;
    struct scan_released *object = find_object(comparison, manifest);
    if (object)
        comparison->is_out_of_memory = !compare_object(comparison, manifest, object);
    comparison->is_out_of_memory |= arena_has_failed(comparison->arena);
    arena_reset(comparison->arena);
}

/* A part of the manifest is not compared. */
static void pass_over(void *context, const char *path, const struct error *error)
{
    struct comparison *comparison = context;
    (void)path;
    comparison->is_out_of_memory |= error->is_out_of_memory;
    comparison->is_incomplete = true;
}

static bool compare_revision(struct comparison *comparison, struct arena *arena)
{
    const struct object_visitor visitor = {.visit = visit, .complain = pass_over, .context = comparison};
    struct scan_manifest manifest = {0};
    int result = comparison->unpacked < SCAN_UNPACKED_BYTES_MAX
        ? scan_manifest_unpack(comparison->revision->packed, arena, &manifest)
        : 0;
    struct slice rest = manifest.text;
    comparison->is_incomplete = result == 0;
    comparison->unpacked += manifest.unpacked;
    if (result > 0)
        each_object_of("", manifest_read_slice, &rest, &visitor);
    free(manifest.bytes);
    comparison->releases->unread += comparison->is_incomplete;
    return result >= 0 && !comparison->is_out_of_memory;
}

static void mark_wanted(struct scan_releases *releases)
{
    for (size_t i = 0; i < releases->objects.count; i++) {
        const struct scan_released *object = name_table_item(&releases->objects, i);
        struct revision *revision = name_table_find(&releases->revisions, object->release);
        if (revision)
            revision->is_wanted = true;
    }
}

bool scan_releases_compare(struct scan_releases *releases)
{
    struct arena *arena = arena_create();
    struct comparison comparison = {.releases = releases, .arena = arena_create()};
    bool is_done = arena && comparison.arena;
    mark_wanted(releases);
    for (size_t i = 0; i < releases->revisions.count && is_done; i++) {
        comparison.revision = name_table_item(&releases->revisions, i);
        if (!comparison.revision->is_wanted || !comparison.revision->packed.length)
            continue;
        is_done = compare_revision(&comparison, arena);
        arena_reset(arena);
    }
    arena_destroy(comparison.arena);
    arena_destroy(arena);
    return is_done;
}

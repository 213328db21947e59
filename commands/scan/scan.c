#include "commands/scan/scan.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/siphash.h"
#include "commands/scan/facts.h"
#include "commands/scan/releases.h"
#include "commands/scan/selectors.h"
#include "manifest/kinds.h"
#include "policy/judge.h"
#include "policy/review/review_from_objects.h"

#include <stdlib.h>

struct scan {
    struct scan_options options;
    struct arena *arena; /* of the summary */
    struct scan_summary summary;
    struct scan_facts facts;               /* of this cluster */
    struct scan_selectors selectors;       /* of this cluster, in the arena of its facts */
    struct scan_releases releases;         /* the same */
    struct name_table served;              /* its versions: struct scan_count; empty: unknown */
    uint64_t with_managed_fields, without; /* objects of this input */
};

struct scan *scan_create(const struct scan_options *options)
{
    struct scan *scan = calloc(1, sizeof(*scan));
    if (!scan)
        return NULL;
    scan->options = *options;
    scan->arena = arena_create();
    if (scan->arena)
        scan_summary_start(&scan->summary, scan->arena, options->keeps_all);
    if (scan->arena && scan_begin_cluster(scan))
        return scan;
    scan_free(scan);
    return NULL;
}

void scan_free(struct scan *scan)
{
    if (!scan)
        return;
    scan_facts_release(&scan->facts);
    arena_destroy(scan->arena);
    free(scan);
}

bool scan_begin_cluster(struct scan *scan)
{
    scan_facts_release(&scan->facts);
    scan->served = (struct name_table){0};
    bool is_started = scan_facts_start(&scan->facts);
    scan_selectors_start(&scan->selectors, scan->facts.arena);
    scan_releases_start(&scan->releases, scan->facts.arena);
    return is_started;
}

void scan_note_complete(struct scan *scan)
{
    scan->facts.is_complete =
        !scan->options.shard.count && !scan->summary.forbidden.count && !scan->summary.is_partial;
}

bool scan_note_served(struct scan *scan, struct slice api_version)
{
    if (!scan->served.arena)
        scan->served =
            (struct name_table){.arena = scan->facts.arena, .record_bytes = sizeof(struct scan_count)};
    return name_table_add(&scan->served, api_version) != NULL;
}

bool scan_note_forbidden(struct scan *scan, struct slice kind)
{
    struct scan_count *count = name_table_add(&scan->summary.forbidden, kind);
    if (count)
        count->number++;
    return count != NULL;
}

void scan_note_partial(struct scan *scan)
{
    scan->summary.is_partial = true;
}

void scan_begin_input(struct scan *scan)
{
    scan->with_managed_fields = scan->without = 0;
}

void scan_end_input(struct scan *scan)
{
    if (scan->with_managed_fields)
        scan->summary.unowned += scan->without;
    else
        scan->summary.dropped += scan->without;
    scan_begin_input(scan);
}

bool scan_is_sharded(const struct scan *scan)
{
    return scan->options.shard.count > 1;
}

bool scan_is_of_shard(const struct scan *scan, struct slice namespace, struct slice kind)
{
    static const struct siphash_seed seed = {{0x7363616e, 0x7368617264}};
    if (!scan->options.shard.count)
        return true;
    uint64_t hash = siphash(namespace, seed) * 31 + siphash(kind, seed);
    return hash % scan->options.shard.count == scan->options.shard.index;
}

static struct review_head head_of(
    struct slice api_version, struct slice kind, struct slice namespace, struct slice name)
{
    return (struct review_head){
        .uid = "scan",
        .operation = OPERATION_UPDATE,
        .group = group_of(api_version),
        .version = version_of(api_version),
        .kind = kind,
        .namespace = namespace,
        .name = name,
    };
}

/* An object to judge. Its review and its verdict live in the arena. */
struct subject {
    const struct review_head *head;
    yyjson_val *value; /* NULL: an object that others name */
    const struct stored_object *stored;
    struct arena *arena;
};

/* Returns -1 and sets the error. */
static int judge_under(
    const struct scan *scan, const struct policy *policy, const struct subject *subject,
    const struct verdict **verdict, struct error *error)
{
    const struct judge_options options = {
        .ceiling = MODE_ENFORCE, .now = scan->options.now, .stored = subject->stored};
    const struct review *review =
        review_from_objects(subject->head, NULL, subject->value, subject->arena, error);
    if (!review || judge_review(policy, review, &options, verdict, error) != JUDGE_OK)
        return -1;
    if (!subject->value || !scan->options.expectations.count)
        return 0;
    /* The verdict is of this arena, and is not shared. */
    struct verdict *own = (struct verdict *)(uintptr_t)*verdict;
    scan_expectations_judge(&scan->options.expectations, own);
    return own->out_of_memory || arena_has_failed(subject->arena) ? error_set_out_of_memory(error) : 0;
}

static void count_denials(uint64_t denied[RULE_COUNT], const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->finding_count; i++)
        denied[verdict->findings[i].rule] += verdict->findings[i].policy_action == ACTION_DENY;
}

/* Counts what the policy, which gave the verdict, and the weaker one deny. Returns -1 and sets the error. */
static int judge_weaker(
    struct scan *scan, const struct subject *subject, const struct verdict *verdict, struct error *error)
{
    const struct verdict *weaker = NULL;
    if (!scan->options.weaker)
        return 0;
    if (judge_under(scan, scan->options.weaker, subject, &weaker, error) < 0)
        return -1;
    count_denials(scan->summary.denied[0], verdict);
    count_denials(scan->summary.denied[1], weaker);
    return 0;
}

/* Under both. Returns -1 and sets the error. */
static int judge_stored(
    struct scan *scan, const struct subject *subject, const struct verdict **verdict, struct error *error)
{
    int result = judge_under(scan, scan->options.policy, subject, verdict, error);
    return result < 0 ? -1 : judge_weaker(scan, subject, *verdict, error);
}

/* Entries of a version that the cluster does not serve: it cannot convert them, and drops them at a write. */
static bool count_old_versions(struct scan *scan, const struct review *review)
{
    const struct managed_fields *side = &review->ownership.after;
    for (size_t i = 0; i < side->count && scan->served.count; i++) {
        struct slice version = side->entries[i].api_version;
        if (name_table_find(&scan->served, version))
            continue;
        struct scan_count *count = name_table_add(&scan->summary.old_versions, version);
        if (!count)
            return false;
        count->number++;
    }
    return true;
}

static bool has_other_member(yyjson_val *map, const char *const *names, size_t count)
{
    json_each_key(name, map)
        if (!slice_is_one_of(json_text(name), names, count))
            return true;
    return false;
}

/*
 * Whether managedFields could name an owner of a field: an object of a name alone, such as the ServiceAccount
 * default, has no such field (apimachinery, util/managedfields/internal/stripmeta.go).
 */
static bool has_tracked_field(const struct review *review)
{
    static const char *const members[] = {"apiVersion", "kind", "metadata"};
    static const char *const metadata[] = {"name",       "namespace", "creationTimestamp",
                                           "generation", "uid",       "resourceVersion"};
    return has_other_member(review->object, members, ARRAY_SIZE(members)) ||
        has_other_member(review->parts.metadata.value, metadata, ARRAY_SIZE(metadata));
}

static void count_managed_fields(struct scan *scan, const struct review *review)
{
    if (review->parts.metadata.managed_fields)
        scan->with_managed_fields++;
    else if (has_tracked_field(review))
        scan->without++;
}

static bool count(struct scan *scan, const struct verdict *verdict)
{
    const struct review *review = verdict->review;
    count_managed_fields(scan, review);
    scan->summary.with_findings += verdict->finding_count > 0;
    return scan_summary_add_object(&scan->summary, review) &&
        scan_summary_add_readiness(&scan->summary, verdict) &&
        scan_summary_add_findings(&scan->summary, verdict) && scan_facts_add(&scan->facts, review) &&
        scan_selectors_add(&scan->selectors, review) && scan_releases_add(&scan->releases, review) &&
        count_old_versions(scan, review);
}

int scan_add(
    struct scan *scan, const struct scan_object *object, struct arena *arena, const struct verdict **verdict,
    struct error *error)
{
    static const struct stored_object alone = {0};
    struct review_head head = head_of(object->api_version, object->kind, object->namespace, object->name);
    const struct subject subject = {&head, object->value, &alone, arena};
    bool is_kept;
    head.list_api_version = object->list_api_version;
    *verdict = NULL;
    if (!scan_is_of_shard(scan, object->namespace, object->kind))
        return 0;
    if (judge_under(scan, scan->options.policy, &subject, verdict, error) < 0)
        return -1;
    if (!scan_releases_keep(&scan->releases, (*verdict)->review, &is_kept))
        return error_set_out_of_memory(error);
    if (is_kept) {
        scan->with_managed_fields++;
        *verdict = NULL;
        return 0;
    }
    if (judge_weaker(scan, &subject, *verdict, error) < 0)
        return -1;
    return count(scan, *verdict) ? 0 : error_set_out_of_memory(error);
}

bool scan_compare_releases(struct scan *scan)
{
    bool is_done = scan_releases_compare(&scan->releases);
    scan->summary.unread_releases += scan->releases.unread;
    return is_done;
}

int scan_next_released(
    struct scan *scan, size_t *index, struct arena *arena, const struct verdict **verdict,
    struct error *error)
{
    if (*index >= scan->releases.objects.count)
        return 0;
    struct scan_released *released = name_table_item(&scan->releases.objects, (*index)++);
    const struct scan_related_object object = scan_related_object(released->key);
    struct review_head head = head_of(object.api_version, object.kind, object.namespace, object.name);
    struct stored_object stored = {0};
    yyjson_val *kept = json_parse(released->json, arena);
    head.list_api_version = json_member(kept, SLICE("version"));
    if (released->manifest.bytes) {
        released->upgrade.manifest = json_parse(released->manifest, arena);
        stored.upgrade = &released->upgrade;
    }
    if (!kept || (released->manifest.bytes && !released->upgrade.manifest))
        return error_set_out_of_memory(error);
    const struct subject subject = {&head, json_member(kept, SLICE("object")), &stored, arena};
    if (judge_stored(scan, &subject, verdict, error) < 0)
        return -1;
    return count(scan, *verdict) ? 1 : error_set_out_of_memory(error);
}

int scan_next_related(
    struct scan *scan, size_t *index, struct arena *arena, const struct verdict **verdict,
    struct error *error)
{
    struct name_table *objects = &scan->facts.objects;
    while (*index < objects->count) {
        const struct scan_related *related = name_table_item(objects, (*index)++);
        const struct scan_related_object object = scan_related_object(related->key);
        struct stored_object stored;
        if (!scan_facts_find(&scan->facts, related, arena, &stored))
            continue;
        const struct review_head head =
            head_of(object.api_version, object.kind, object.namespace, object.name);
        const struct subject subject = {&head, NULL, &stored, arena};
        if (judge_stored(scan, &subject, verdict, error) < 0)
            return -1;
        if (!(*verdict)->finding_count)
            continue;
        return scan_summary_add_findings(&scan->summary, *verdict) ? 1 : error_set_out_of_memory(error);
    }
    return arena_has_failed(arena) ? error_set_out_of_memory(error) : 0;
}

bool scan_find_overlaps(struct scan *scan, struct slice cluster)
{
    return scan_selectors_find(&scan->selectors, cluster, &scan->summary);
}

const struct scan_summary *scan_end(struct scan *scan)
{
    scan_summary_end(&scan->summary);
    return &scan->summary;
}

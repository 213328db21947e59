#include "policy/analysis/ownership_rewrites.h"

#include "base/count.h"
#include "base/json.h"
#include "policy/analysis/moves.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"

#include <stdlib.h>

/* etcd takes 1.5 MiB, in a form that may be smaller than JSON. */
#define TOO_LARGE_BYTES ((size_t)1024 * 1024)

struct finder {
    const struct review *review;
    struct rewrites *rewrites;
    struct slice *fields; /* each as often as somebody lost it */
    size_t field_count;
    struct manager *losers;
    struct lookup_cursor *old_object;
    struct lookup_cursor *object;
    const struct manager_moves *moves;
    unsigned *extents; /* of what the loser may lose for the sake of each entry of the object (moves.h) */
    bool has_hurt;     /* a loser is not of the status subresource, whose owner writes it anew all the time */
    /* of the entry under way */
    const struct managed_fields_entry *loser;
    const struct managed_fields_entry *writer; /* the taker's entry, where it gains by writing; NULL else */
    bool has_extents;
    bool has_lost;
};

/*
 * What the API server puts back, or its admission, where a writer leaves it out: its owners lose it all the
 * same (kubernetes, pkg/registry/core/service/storage/alloc.go; plugin/pkg/admission/priority and
 * defaulttolerationseconds).
 */
static const struct {
    const char *kind, *field;
} restored[] = {
    {"Service", ".spec.clusterIP"},
    {"Service", ".spec.clusterIPs"},
    {"Service", ".spec.healthCheckNodePort"},
    {"Service", ".spec.ipFamilies"},
    {"Service", ".spec.ipFamilyPolicy"},
    {"Service", ".spec.ports[*].nodePort"},
    {"Pod", ".spec.preemptionPolicy"},
    {"Pod", ".spec.priority"},
    {"Pod", ".spec.tolerations"},
};

static bool is_restored(const struct review *review, const struct path *path)
{
    for (size_t i = 0; i < COUNT(restored); i++) {
        if (slice_equal(review->group_kind, slice_of(restored[i].kind)) &&
            path_pattern_covers(slice_of(restored[i].field), path, review->arena))
            return true;
    }
    return false;
}

/* Unknown for what either side lacks, and for bare membership: neither has a value to compare. */
static enum search_answer is_changed(struct finder *finder, const struct path *path)
{
    const struct review *review = finder->review;
    yyjson_val *old_value = NULL, *value = NULL;
    unsigned absent_depth = 0;
    if (lookup_path(finder->old_object, path, &old_value, &absent_depth) != LOOKUP_FOUND ||
        lookup_path(finder->object, path, &value, &absent_depth) != LOOKUP_FOUND ||
        ownership_bare(&review->ownership, path, value, review->lookup) != ANSWER_NO)
        return ANSWER_UNKNOWN;
    enum search_answer equal = lookup_equal(review->lookup, old_value, value);
    if (equal == ANSWER_UNKNOWN)
        return ANSWER_UNKNOWN;
    return equal == ANSWER_YES ? ANSWER_NO : ANSWER_YES;
}

/* Of an entry's fields: whether any has another value now, and how many have not. */
struct overwriting {
    struct finder *finder;
    bool has_changed;
    size_t kept;
};

static bool visit_overwritten(void *context, const struct path *path)
{
    struct overwriting *overwriting = context;
    enum search_answer changed =
        field_is_bookkeeping(path) ? ANSWER_UNKNOWN : is_changed(overwriting->finder, path);
    overwriting->has_changed |= changed == ANSWER_YES;
    overwriting->kept += changed == ANSWER_NO;
    return overwriting->kept <= 1;
}

/*
 * Whether the request writes over all that the entry owns. One value may be stored as it was: what is written
 * of a LimitRange's limits, or of a StatefulSet's volumeClaimTemplates, looks different until its defaults
 * are filled in.
 */
static bool is_written_over(struct finder *finder, const struct managed_fields_entry *entry)
{
    struct overwriting overwriting = {.finder = finder};
    enum fields_result result =
        fields_difference(entry->fields, NULL, finder->review->arena, visit_overwritten, &overwriting);
    return result == FIELDS_OK && overwriting.has_changed && overwriting.kept <= 1;
}

static bool owns_one_field(yyjson_val *fields)
{
    while (yyjson_obj_size(fields) == 1) {
        yyjson_obj_iter members = yyjson_obj_iter_with(fields);
        fields = yyjson_obj_iter_get_val(yyjson_obj_iter_next(&members));
    }
    return yyjson_obj_size(fields) == 0;
}

/*
 * The taker's entry, if what the loser lost may have been taken by writing: where another webhook puts the
 * old value back, or the API server stores what was written in the same form as before. That makes the entry
 * the newest, if only by being of the same second: then nothing tells it from one that was written by hand.
 * One that was renamed keeps its time, and the old one is gone. Nobody takes a whole Apply entry by writing,
 * unless its values change.
 */
static const struct managed_fields_entry *honest_writer(
    struct finder *finder, const struct managed_fields_entry *loser)
{
    const struct taker *taker = &finder->review->ownership.taker;
    const struct managed_fields_entry *after = taker->after;
    if (!after || slice_compare(after->time, loser->time) < 0 ||
        (taker->before && slice_compare(after->time, taker->before->time) < 0))
        return NULL;
    bool is_doubtful = !loser->counterpart &&
        (slice_equal(after->time, loser->time) ||
         (loser->manager.operation == MANAGER_APPLY && !owns_one_field(loser->fields)));
    return is_doubtful && !is_written_over(finder, loser) ? NULL : after;
}

/* The API server takes names of up to 128 bytes (apimachinery, ValidateFieldManager): matching one costs a
 * step for each as many. */
#define NAME_BYTES_A_STEP 128

static size_t steps_to_match(const struct managed_fields *side)
{
    size_t steps = 0;
    for (size_t i = 0; i < side->count; i++)
        steps += 1 + side->entries[i].manager.name.length / NAME_BYTES_A_STEP;
    return steps;
}

/* Which of the object's entries may have got what, from the loser. Most requests move nothing. */
static bool read_extents(struct finder *finder)
{
    const struct managed_fields *after = &finder->review->ownership.after;
    if (finder->has_extents)
        return true;
    if (!effort_spend(lookup_effort(finder->review->lookup), EFFORT_OWNERS, steps_to_match(after)))
        return false;
    for (size_t i = 0; i < after->count; i++)
        finder->extents[i] = moves_extent(finder->review, finder->moves, finder->loser, &after->entries[i]);
    finder->has_extents = true;
    return true;
}

/* Whether the gainer's manager owned the field before, in whatever way it wrote it. */
static enum search_answer was_owned_by(
    const struct finder *finder, const struct managed_fields_entry *gainer, const struct path *path)
{
    const struct managed_fields *before = &finder->review->ownership.before;
    enum search_answer owned = ANSWER_NO;
    for (size_t i = 0; i < before->count && owned == ANSWER_NO; i++) {
        const struct managed_fields_entry *entry = &before->entries[i];
        if (!effort_spend(lookup_effort(finder->review->lookup), EFFORT_OWNERS, 1))
            owned = ANSWER_UNKNOWN;
        else if (slice_equal(entry->manager.name, gainer->manager.name))
            owned = fieldset_contains(finder->review->lookup, entry->fields, path);
    }
    return owned;
}

static bool is_label(const struct path *path)
{
    while (path->depth > 2)
        path = path->parent;
    return path->depth == 2 && slice_equal(path->parent->text, SLICE("metadata")) &&
        (slice_equal(path->text, SLICE("labels")) || slice_equal(path->text, SLICE("annotations")));
}

/* Whether the field may be lost for the sake of this entry of the object. */
static enum search_answer is_moved_to(
    const struct finder *finder, const struct managed_fields_entry *gainer, unsigned extent,
    const struct path *path)
{
    if (extent & MOVE_ALL || (extent & MOVE_LABELS && is_label(path)))
        return ANSWER_YES;
    if (!(extent & (MOVE_OWNED | MOVE_SHARED)))
        return ANSWER_NO;
    enum search_answer owned = fieldset_contains(finder->review->lookup, gainer->fields, path);
    return extent & MOVE_OWNED || owned != ANSWER_YES ? owned : was_owned_by(finder, gainer, path);
}

static enum search_answer is_kept(struct finder *finder, const struct path *path)
{
    struct lookup *lookup = finder->review->lookup;
    const struct managed_fields *after = &finder->review->ownership.after;
    const struct managed_fields_entry *rest = finder->loser->counterpart;
    enum search_answer kept = rest ? fieldset_contains(lookup, rest->fields, path) : ANSWER_NO;
    if (kept == ANSWER_NO && finder->writer)
        kept = fieldset_contains(lookup, finder->writer->fields, path);
    if (kept == ANSWER_NO && !read_extents(finder))
        kept = ANSWER_UNKNOWN;
    for (size_t i = 0; i < after->count && kept == ANSWER_NO; i++) {
        if (!effort_spend(lookup_effort(lookup), EFFORT_OWNERS, 1))
            kept = ANSWER_UNKNOWN;
        else
            kept = is_moved_to(finder, &after->entries[i], finder->extents[i], path);
    }
    return kept;
}

/* Whether anybody owns the field after the request. */
static enum search_answer is_owned(const struct finder *finder, const struct path *path)
{
    struct lookup *lookup = finder->review->lookup;
    const struct managed_fields *after = &finder->review->ownership.after;
    enum search_answer owned = ANSWER_NO;
    for (size_t i = 0; i < after->count && owned == ANSWER_NO; i++)
        owned = effort_spend(lookup_effort(lookup), EFFORT_OWNERS, 1)
            ? fieldset_contains(lookup, after->entries[i].fields, path)
            : ANSWER_UNKNOWN;
    return owned;
}

static void add_field(struct finder *finder, const struct path *path)
{
    if (finder->field_count == REWRITES_MAX) {
        finder->rewrites->at_least = true;
        return;
    }
    struct text text = text_start(finder->review->arena, 96);
    path_append(&text, path);
    finder->rewrites->out_of_memory |= text.failed;
    if (!text.failed)
        finder->fields[finder->field_count++] = text_slice(&text);
}

/* Beyond what is counted, who has lost anything is still asked. */
static bool visit_lost(void *context, const struct path *path)
{
    struct finder *finder = context;
    if (field_is_bookkeeping(path) || is_changed(finder, path) != ANSWER_NO ||
        is_restored(finder->review, path) || is_kept(finder, path) != ANSWER_NO)
        return true;
    finder->has_lost = true;
    if (!finder->rewrites->are_owned)
        finder->rewrites->are_owned = is_owned(finder, path) != ANSWER_NO;
    add_field(finder, path);
    return !finder->rewrites->out_of_memory && !finder->rewrites->at_least;
}

static int compare_fields(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

/* Several may have owned a field. */
static void list_fields(struct finder *finder)
{
    struct rewrites *rewrites = finder->rewrites;
    qsort(finder->fields, finder->field_count, sizeof(*finder->fields), compare_fields);
    for (size_t i = 0; i < finder->field_count; i++) {
        if (!rewrites->field_total ||
            !slice_equal(finder->fields[rewrites->field_total - 1], finder->fields[i]))
            finder->fields[rewrites->field_total++] = finder->fields[i];
    }
    rewrites->fields = finder->fields;
    rewrites->field_count =
        rewrites->field_total < FINDING_FIELDS_MAX ? rewrites->field_total : FINDING_FIELDS_MAX;
}

/* Entries of a version that the API no longer has are dropped by the API server, unless all go. */
static bool may_lose(const struct finder *finder, const struct managed_fields_entry *entry)
{
    const struct ownership *ownership = &finder->review->ownership;
    return !entry->same_fields && !slice_equal(entry->manager.name, ownership->taker.manager.name) &&
        (!ownership->after.count || entry_is_comparable(finder->review, entry));
}

static void find_lost_of(struct finder *finder, const struct managed_fields_entry *entry)
{
    struct rewrites *rewrites = finder->rewrites;
    finder->loser = entry;
    finder->writer = honest_writer(finder, entry);
    finder->has_extents = false;
    finder->has_lost = false;
    if (ownership_class(&finder->review->ownership, entry) == CLASS_BOOKKEEPING)
        return;
    const struct managed_fields_entry *rest = entry->counterpart ? entry->counterpart : finder->writer;
    enum fields_result result = fields_difference(
        entry->fields, rest ? rest->fields : NULL, finder->review->arena, visit_lost, finder);
    rewrites->out_of_memory |= result == FIELDS_OUT_OF_MEMORY;
    if (fields_unread(result))
        rewrites->unread = result;
    if (finder->has_lost && rewrites->loser_count < FINDING_LOSERS_MAX)
        finder->losers[rewrites->loser_count++] = entry->manager;
    rewrites->loser_total += finder->has_lost;
    finder->has_hurt |= finder->has_lost && !slice_equal(entry->manager.subresource, SLICE("status"));
}

/* Most reviews need none of this. */
static bool prepare(struct finder *finder)
{
    const struct review *review = finder->review;
    if (finder->fields)
        return true;
    finder->fields = arena_allocate(review->arena, REWRITES_MAX * sizeof(*finder->fields));
    finder->losers = arena_allocate_array(review->arena, FINDING_LOSERS_MAX, sizeof(struct manager));
    finder->extents =
        arena_allocate_array(review->arena, review->ownership.after.count + 1, sizeof(*finder->extents));
    finder->old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena);
    finder->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    return finder->fields && finder->losers && finder->extents && finder->old_object && finder->object;
}

struct rewrites ownership_rewrites_find(const struct review *review, const struct policy *policy)
{
    struct rewrites rewrites = {0};
    const struct ownership *ownership = &review->ownership;
    const struct ownership_rewrites_settings *settings = policy->settings[RULE_managedfields_rewritten];
    struct finder finder = {.review = review, .rewrites = &rewrites, .moves = &settings->moves};
    if (moves_clear_all(review))
        return rewrites;
    for (size_t i = 0; i < ownership->before.count && !rewrites.out_of_memory; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (!may_lose(&finder, entry))
            continue;
        if (prepare(&finder))
            find_lost_of(&finder, entry);
        else
            rewrites.out_of_memory = true;
    }
    if (!finder.has_hurt)
        return (struct rewrites){.out_of_memory = rewrites.out_of_memory};
    list_fields(&finder);
    rewrites.losers = finder.losers;
    rewrites.wiped = ownership->after.count == (ownership->taker.after ? 1 : 0);
    return rewrites;
}

/* The group of a custom resource has a dot in it; the versions of all others are converted in the API server
 * itself. */
static bool needs_conversion(const struct review *review)
{
    const struct managed_fields *before = &review->ownership.before;
    if (!slice_contains(review->group, '.'))
        return false;
    for (size_t i = 1; i < before->count; i++) {
        if (!slice_equal(before->entries[i].api_version, before->entries[0].api_version))
            return true;
    }
    return false;
}

enum ownership_rewrites_cause ownership_rewrites_cause(const struct review *review)
{
    if (review->ownership.after.count)
        return REWRITES_OF_REQUEST;
    if (json_bytes(review->object) + json_bytes(review->old_parts.metadata.managed_fields) >= TOO_LARGE_BYTES)
        return REWRITES_TOO_LARGE;
    return needs_conversion(review) ? REWRITES_NOT_CONVERTED : REWRITES_OF_REQUEST;
}

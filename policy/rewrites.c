#include "policy/rewrites.h"

#include "policy/fields.h"
#include "policy/fields_own.h"
#include "policy/json.h"
#include "policy/lookup.h"
#include "policy/path.h"

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
    bool is_server_side; /* whether somebody applies the object server-side afterwards */
    /* of the entry under way */
    const struct managed_fields_entry *loser;
    enum manager_class loser_class;
    const struct managed_fields_entry *writer; /* the taker's entry, where it gains by writing; NULL else */
    bool has_lost;
};

/*
 * The taker's entry, if what the loser lost to it went the common way. An Apply entry gains by applying, or
 * by a migration, which need not name its manager; an Update entry where another webhook puts the old value
 * back, but not if it is the loser's own, renamed: that keeps its time.
 */
static const struct managed_fields_entry *honest_writer(
    const struct review *review, const struct managed_fields_entry *loser)
{
    const struct taker *taker = &review->ownership.taker;
    if (!taker->after)
        return NULL;
    bool honest = taker->after->manager.operation == MANAGER_APPLY
        ? review->field_manager.length || loser->manager.operation == MANAGER_UPDATE
        : taker->before || !slice_equal(taker->after->time, loser->time);
    return honest ? taker->after : NULL;
}

/* Whether what an Update entry lost may have gone to this one by a migration, or by the cap on entries. */
static bool may_keep(const struct finder *finder, const struct managed_fields_entry *entry)
{
    const struct ownership *ownership = &finder->review->ownership;
    if (finder->loser->manager.operation != MANAGER_UPDATE)
        return false;
    if (entry->manager.operation == MANAGER_UPDATE)
        return slice_equal(entry->manager.name, SLICE("ancient-changes"));
    return ownership_class(ownership, entry) == CLASS_APPLIER &&
        (finder->loser_class != CLASS_CONTROLLER || !finder->review->field_manager.length ||
         slice_equal(entry->manager.name, finder->loser->manager.name));
}

static enum search_answer is_kept(const struct finder *finder, const struct path *path)
{
    struct lookup *lookup = finder->review->lookup;
    const struct managed_fields *after = &finder->review->ownership.after;
    const struct managed_fields_entry *rest = finder->loser->counterpart;
    enum search_answer kept = rest ? fields_own(lookup, rest->fields, path) : ANSWER_NO;
    if (kept == ANSWER_NO && finder->writer)
        kept = fields_own(lookup, finder->writer->fields, path);
    for (size_t i = 0; i < after->count && kept == ANSWER_NO; i++) {
        if (!effort_spend(lookup_effort(lookup), EFFORT_OWNERS, 1))
            kept = ANSWER_UNKNOWN;
        else if (may_keep(finder, &after->entries[i]))
            kept = fields_own(lookup, after->entries[i].fields, path);
    }
    return kept;
}

/* {} on a map or list that has owned children elsewhere says that it is there, not what is in it. */
static bool may_be_bare_membership(const struct finder *finder, const struct path *path, yyjson_val *value)
{
    const struct ownership *ownership = &finder->review->ownership;
    struct lookup *lookup = finder->review->lookup;
    return yyjson_is_ctn(value) &&
        (managed_fields_own_below(&ownership->before, path, lookup) != ANSWER_NO ||
         managed_fields_own_below(&ownership->after, path, lookup) != ANSWER_NO);
}

static bool is_unchanged(struct finder *finder, const struct path *path)
{
    yyjson_val *old_value = NULL, *value = NULL;
    unsigned absent_depth = 0;
    return lookup_path(finder->old_object, path, &old_value, &absent_depth) == LOOKUP_FOUND &&
        lookup_path(finder->object, path, &value, &absent_depth) == LOOKUP_FOUND &&
        !may_be_bare_membership(finder, path, value) &&
        lookup_equal(finder->review->lookup, old_value, value) == ANSWER_YES;
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
    if (field_is_bookkeeping(path) || !is_unchanged(finder, path) || is_kept(finder, path) != ANSWER_NO)
        return true;
    finder->has_lost = true;
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
    if (finder->field_count > 1)
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
        (!ownership->after.count ||
         slice_equal(entry->api_version, json_text(finder->review->parts.api_version)));
}

/* Who goes over to server-side apply may throw the client-side entry away, with the defaults that it owns. */
static bool is_tidied_up(const struct finder *finder)
{
    return finder->loser_class == CLASS_APPLIER && finder->loser->manager.operation == MANAGER_UPDATE &&
        !finder->loser->counterpart && finder->is_server_side;
}

static void find_lost_of(struct finder *finder, const struct managed_fields_entry *entry)
{
    struct rewrites *rewrites = finder->rewrites;
    finder->loser = entry;
    finder->loser_class = ownership_class(&finder->review->ownership, entry);
    finder->writer = honest_writer(finder->review, entry);
    finder->has_lost = false;
    if (finder->loser_class == CLASS_BOOKKEEPING || is_tidied_up(finder))
        return;
    const struct managed_fields_entry *rest = entry->counterpart ? entry->counterpart : finder->writer;
    enum fields_result result = fields_difference(
        entry->fields, rest ? rest->fields : NULL, finder->review->arena, visit_lost, finder);
    rewrites->out_of_memory |= result == FIELDS_OUT_OF_MEMORY;
    if (finder->has_lost && rewrites->loser_count < FINDING_LOSERS_MAX)
        finder->losers[rewrites->loser_count++] = entry->manager;
    rewrites->loser_total += finder->has_lost;
}

/* Most reviews need none of this. */
static bool prepare(struct finder *finder)
{
    const struct review *review = finder->review;
    if (finder->fields)
        return true;
    finder->is_server_side = managed_fields_server_side_applied(&review->ownership, &review->ownership.after);
    finder->fields = arena_allocate(review->arena, REWRITES_MAX * sizeof(*finder->fields));
    finder->losers = arena_allocate_array(review->arena, FINDING_LOSERS_MAX, sizeof(struct manager));
    finder->old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena);
    finder->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    return finder->fields && finder->losers && finder->old_object && finder->object;
}

struct rewrites rewrites_find(const struct review *review)
{
    struct rewrites rewrites = {0};
    const struct ownership *ownership = &review->ownership;
    struct finder finder = {.review = review, .rewrites = &rewrites};
    for (size_t i = 0; i < ownership->before.count && !rewrites.out_of_memory; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (!may_lose(&finder, entry))
            continue;
        if (prepare(&finder))
            find_lost_of(&finder, entry);
        else
            rewrites.out_of_memory = true;
    }
    list_fields(&finder);
    rewrites.losers = finder.losers;
    rewrites.wiped = ownership->after.count == (ownership->taker.after ? 1 : 0);
    return rewrites;
}

bool rewrites_are_the_servers(const struct review *review)
{
    return !review->ownership.after.count &&
        json_bytes(review->object) + json_bytes(review->old_parts.metadata.managed_fields) >= TOO_LARGE_BYTES;
}

#include "policy/analysis/ownership_gains.h"

#include "base/glob.h"
#include "policy/analysis/kept_values.h"
#include "policy/analysis/moves.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/review/ownership.h"
#include "policy/verdict/finding.h"

struct gain_search {
    const struct review *review;
    const struct manager_moves *moves;
    struct ownership_gains *gains;
    struct kept_values values;
    unsigned *extents; /* which parts each entry of the old object may lose to the gainer (moves.h) */
    size_t steps;      /* that finding these takes; 0: not yet counted */
    struct manager *gainers;
    struct manager *versions;
    bool may_rewrite_versions;
    /* of the entry under way */
    const struct managed_fields_entry *gainer;
    bool has_extents;
    bool is_restored; /* the gainer may own all that it owned elsewhere */
    bool has_gained;
};

/* Or an entry of the same identity: the API server keeps one of them. */
static bool is_of_writer(const struct review *review, const struct managed_fields_entry *entry)
{
    const struct managed_fields_entry *writer = review->ownership.writer.after;
    return writer && manager_equal(&entry->manager, &writer->manager) &&
        slice_equal(entry->api_version, writer->api_version);
}

static bool is_writer(const struct gain_search *search)
{
    return is_of_writer(search->review, search->gainer);
}

/* The API server merges the oldest entries; of entries of one second it may be the writer's new one. */
static bool is_merged_writer(const struct gain_search *search)
{
    return !search->review->ownership.writer.after && search->gainer->manager.operation == MANAGER_UPDATE &&
        slice_equal(search->gainer->manager.name, SLICE("ancient-changes"));
}

/* Which of the old object's entries may have given what, to the gainer. Most requests move nothing. */
static bool read_extents(struct gain_search *search)
{
    const struct managed_fields *before = &search->review->ownership.before;
    if (search->has_extents)
        return true;
    if (!search->steps)
        search->steps = moves_steps(before);
    if (!effort_spend(lookup_effort(search->review->lookup), EFFORT_OWNERS, search->steps))
        return false;
    for (size_t i = 0; i < before->count; i++) {
        const struct managed_fields_entry *previous_owner = &before->entries[i];
        search->extents[i] = previous_owner->same_fields
            ? 0
            : moves_extent(search->review, search->moves, previous_owner, search->gainer);
        search->is_restored |= (search->extents[i] & MOVE_RESTORED) != 0;
    }
    search->has_extents = true;
    return true;
}

/* Whether the entry of the old object had the field, and no longer has it. */
static enum search_answer has_lost(
    const struct gain_search *search, const struct managed_fields_entry *previous_owner,
    const struct path *path)
{
    struct lookup *lookup = search->review->lookup;
    enum search_answer owned = fieldset_contains(lookup, entry_fields(previous_owner), path);
    if (owned != ANSWER_YES || !previous_owner->counterpart)
        return owned;
    enum search_answer kept = fieldset_contains(lookup, entry_fields(previous_owner->counterpart), path);
    return kept == ANSWER_UNKNOWN ? kept : kept == ANSWER_YES ? ANSWER_NO : ANSWER_YES;
}

/* Whether a move that is allowed brought the field. */
static enum search_answer is_moved(struct gain_search *search, const struct path *path)
{
    const struct managed_fields *before = &search->review->ownership.before;
    if (!read_extents(search))
        return ANSWER_UNKNOWN;
    enum search_answer moved = search->is_restored ? ANSWER_YES : ANSWER_NO;
    for (size_t i = 0; i < before->count && moved == ANSWER_NO; i++) {
        if (!effort_spend(lookup_effort(search->review->lookup), EFFORT_OWNERS, 1))
            moved = ANSWER_UNKNOWN;
        else if (
            search->extents[i] & MOVE_OWNED || (search->extents[i] & MOVE_LABELS && moves_are_labels(path)))
            moved = has_lost(search, &before->entries[i], path);
    }
    return moved;
}

/* The first apply to an object without managedFields makes up an owner for all that is there. */
static bool is_first_apply(const struct review *review, const struct managed_fields_entry *entry)
{
    const struct ownership *ownership = &review->ownership;
    return !ownership->before.count && ownership->writer.manager.operation == MANAGER_APPLY &&
        entry->manager.operation == MANAGER_UPDATE && !entry->manager.subresource.length &&
        slice_equal(entry->manager.name, SLICE("before-first-apply"));
}

/* The API server gives the owner of an atomic value all fields that the value is split into. */
static bool was_part_of_atomic(const struct gain_search *search, const struct path *path)
{
    const struct managed_fields_entry *before = search->gainer->counterpart;
    return before && fieldset_contains(search->review->lookup, entry_fields(before), path) != ANSWER_NO;
}

/*
 * Whether the writer may own the field by an update: its value is another, comes from the API server, or was
 * written in another form.
 */
static bool may_be_written(struct gain_search *search, const struct path *path)
{
    return kept_values_has(&search->values, path) != ANSWER_YES ||
        kept_values_are_restored(search->review, path) ||
        kept_values_may_have_other_form(&search->values, path);
}

static bool visit_gained(void *context, const struct path *path)
{
    struct gain_search *search = context;
    const struct review *review = search->review;
    bool is_own = is_writer(search) || is_merged_writer(search);
    if (field_is_bookkeeping(path) || (is_own && may_be_written(search, path)) ||
        was_part_of_atomic(search, path) || is_moved(search, path) != ANSWER_NO)
        return true;
    search->has_gained = true;
    struct rewritten_fields *fields = is_own ? &search->gains->of_writer : &search->gains->of_others;
    rewritten_fields_add(fields, path, review->arena);
    return !fields->at_least;
}

static void add_manager(struct manager *managers, size_t *count, size_t *total, const struct manager *manager)
{
    if (*count < FINDING_PREVIOUS_OWNERS_MAX)
        managers[(*count)++] = *manager;
    ++*total;
}

/* The entry that the gainer was in another version, where the request may rewrite versions. */
static const struct managed_fields_entry *former(
    const struct gain_search *search, const struct managed_fields_entry *gainer)
{
    const struct managed_fields *before = &search->review->ownership.before;
    for (size_t i = 0; i < before->count && search->may_rewrite_versions && !gainer->counterpart; i++) {
        if (!before->entries[i].counterpart && manager_equal(&before->entries[i].manager, &gainer->manager))
            return &before->entries[i];
    }
    return gainer->counterpart;
}

static void find_gained_of(struct gain_search *search, const struct managed_fields_entry *gainer)
{
    struct ownership_gains *gains = search->gains;
    search->gainer = gainer;
    search->has_extents = search->is_restored = search->has_gained = false;
    const struct managed_fields_entry *before = former(search, gainer);
    enum fields_result result = fields_difference(
        entry_fields(gainer), before ? entry_fields(before) : NULL, search->review->lookup, visit_gained,
        search);
    if (fields_unread(result))
        gains->unread = result;
    if (search->has_gained && !is_writer(search))
        add_manager(search->gainers, &gains->gainer_count, &gains->gainer_total, &gainer->manager);
}

/* Only an apply writes another version into its entry. That of an update makes it another one. */
static void find_version_of(struct gain_search *search, const struct managed_fields_entry *entry)
{
    struct ownership_gains *gains = search->gains;
    const struct managed_fields_entry *before = entry->counterpart;
    if (before && !search->may_rewrite_versions && !slice_equal(before->api_version, entry->api_version))
        add_manager(search->versions, &gains->version_count, &gains->version_total, &entry->manager);
}

/* Velero and clusterctl make objects with the owners that they had elsewhere. */
static bool is_restoring(const struct review *review)
{
    const struct slice writer = review->ownership.writer.manager.name;
    return !review->old_object &&
        (glob_match(SLICE("velero*"), writer) || slice_equal(writer, SLICE("clusterctl")));
}

/* An apply may own the fields that it declares, with any values. */
static bool may_gain(const struct review *review, const struct managed_fields_entry *entry)
{
    bool is_writer = is_of_writer(review, entry);
    bool is_applied = is_writer && entry->manager.operation == MANAGER_APPLY;
    return is_applied || (is_writer && !review->old_object) || is_first_apply(review, entry) ||
        is_restoring(review);
}

static bool prepare(struct gain_search *search)
{
    const struct review *review = search->review;
    search->gainers =
        arena_allocate_array(review->arena, FINDING_PREVIOUS_OWNERS_MAX, sizeof(struct manager));
    search->versions =
        arena_allocate_array(review->arena, FINDING_PREVIOUS_OWNERS_MAX, sizeof(struct manager));
    search->extents =
        arena_allocate_array(review->arena, review->ownership.before.count + 1, sizeof(*search->extents));
    search->gains->gainers = search->gainers;
    search->gains->versions = search->versions;
    return search->gainers && search->versions && search->extents &&
        kept_values_start(&search->values, review);
}

static bool is_unchanged(const struct managed_fields_entry *entry)
{
    return entry->same_fields && slice_equal(entry->api_version, entry->counterpart->api_version);
}

/* An entry of the old object that cannot be read may have owned what an entry owns now. */
static bool are_known_before(const struct review *review)
{
    const struct managed_fields *before = &review->ownership.before;
    bool is_readable =
        review->operation != OPERATION_UPDATE || yyjson_is_obj(review->old_parts.metadata.value);
    return is_readable && !before->malformed && !before->unreadable;
}

bool ownership_gains_may_be(const struct review *review)
{
    const struct managed_fields *after = &review->ownership.after;
    for (size_t i = 0; i < after->count && are_known_before(review); i++) {
        if (!is_unchanged(&after->entries[i]) && !may_gain(review, &after->entries[i]))
            return true;
    }
    return false;
}

struct ownership_gains ownership_gains_find(const struct review *review, const struct manager_moves *moves)
{
    struct ownership_gains gains = {0};
    struct gain_search search = {.review = review, .moves = moves, .gains = &gains};
    const struct ownership *ownership = &review->ownership;
    search.may_rewrite_versions = moves_rewrite_versions(review);
    for (size_t i = 0; i < ownership->after.count && are_known_before(review); i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (is_unchanged(entry) || may_gain(review, entry))
            continue;
        if (!search.extents && !prepare(&search))
            break;
        find_version_of(&search, entry);
        find_gained_of(&search, entry);
    }
    return gains;
}

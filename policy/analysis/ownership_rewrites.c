#include "policy/analysis/ownership_rewrites.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/analysis/adoption.h"
#include "policy/analysis/kept_values.h"
#include "policy/analysis/moves.h"
#include "policy/analysis/ownership_gains.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"

/* etcd accepts 1.5 MiB, the key included, in an encoding that is at most as large as JSON. */
#define TOO_LARGE_BYTES ((size_t)1536 * 1024 - 4096)

/* Fields that were lost, and whose they were. */
struct losses {
    struct rewritten_fields fields;
    struct manager *previous_owners;
    size_t previous_owner_count;
    size_t previous_owner_total;
};

struct finder {
    const struct review *review;
    struct rewrites *rewrites;
    struct losses losses; /* that nothing explains */
    struct losses doubts; /* to the writer */
    struct kept_values values;
    const struct manager_moves *moves;
    unsigned *extents;    /* which parts the previous owner may lose to each entry of the object (moves.h) */
    size_t steps;         /* that finding these takes; 0: not yet counted */
    bool has_rest;        /* a previous owner still owns something */
    bool has_other_doubt; /* one that no apply explains */
    bool has_hurt; /* a previous owner is not of the status subresource, whose owner rewrites it all the time
                    */
    /* of the entry under way */
    const struct managed_fields_entry *previous_owner;
    bool has_extents;
    bool is_whole; /* all that it owned goes to the writer, by hand */
    bool has_lost;
    bool has_doubt;
};

/* About an entry's fields: whether any has another value now, and how many have not. */
struct overwriting {
    struct finder *finder;
    bool has_changed;
    size_t kept;
};

static bool visit_overwritten(void *context, const struct path *path)
{
    struct overwriting *overwriting = context;
    enum search_answer kept =
        field_is_bookkeeping(path) ? ANSWER_UNKNOWN : kept_values_has(&overwriting->finder->values, path);
    overwriting->has_changed |= kept == ANSWER_NO;
    overwriting->kept += kept == ANSWER_YES;
    return overwriting->kept <= 1;
}

/*
 * Whether the request writes over all that the entry owns. One value may be stored as it was: a webhook put
 * it back.
 */
static bool is_written_over(struct finder *finder, const struct managed_fields_entry *entry)
{
    struct overwriting overwriting = {.finder = finder};
    enum fields_result result =
        fields_difference(entry_fields(entry), NULL, finder->review->lookup, visit_overwritten, &overwriting);
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

/* Writing makes an entry the newest, if only by being of the same second. One that was renamed keeps its
 * time. */
static bool has_time_of_rename(const struct finder *finder, const struct managed_fields_entry *previous_owner)
{
    const struct managed_fields_entry *writer = finder->review->ownership.writer.after;
    return writer && slice_compare(writer->time, previous_owner->time) <= 0;
}

/* No write takes all that an applier owns, unless the values change. */
static bool is_taken_whole(struct finder *finder, const struct managed_fields_entry *previous_owner)
{
    bool is_appliers = ownership_class(&finder->review->ownership, previous_owner) == CLASS_APPLIER &&
        !owns_one_field(entry_fields(previous_owner));
    return !previous_owner->counterpart && (is_appliers || has_time_of_rename(finder, previous_owner)) &&
        !is_written_over(finder, previous_owner);
}

/* Which of the object's entries may have got what, from the previous owner. Most requests move nothing. */
static bool read_extents(struct finder *finder)
{
    const struct managed_fields *after = &finder->review->ownership.after;
    if (finder->has_extents)
        return true;
    if (!finder->steps)
        finder->steps = moves_steps(after);
    if (!effort_spend(lookup_effort(finder->review->lookup), EFFORT_OWNERS, finder->steps))
        return false;
    for (size_t i = 0; i < after->count; i++)
        finder->extents[i] =
            moves_extent(finder->review, finder->moves, finder->previous_owner, &after->entries[i]);
    finder->has_extents = true;
    return true;
}

/* Whether the gainer's manager owned the field before, by any operation. */
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
            owned = fieldset_contains(finder->review->lookup, entry_fields(entry), path);
    }
    return owned;
}

/* Whether the field may be lost for the sake of this entry of the object. */
static enum search_answer is_moved_to(
    const struct finder *finder, const struct managed_fields_entry *gainer, unsigned extent,
    const struct path *path)
{
    if (extent & MOVE_ALL || (extent & MOVE_LABELS && moves_are_labels(path)))
        return ANSWER_YES;
    if (!(extent & (MOVE_OWNED | MOVE_SHARED)))
        return ANSWER_NO;
    enum search_answer owned = fieldset_contains(finder->review->lookup, entry_fields(gainer), path);
    return extent & MOVE_OWNED || owned != ANSWER_YES ? owned : was_owned_by(finder, gainer, path);
}

/* Whether an entry declares the field, as it did before, and did not write. */
static enum search_answer is_declared_by(
    const struct finder *finder, const struct managed_fields_entry *entry, const struct path *path)
{
    const struct ownership *ownership = &finder->review->ownership;
    if (!entry->counterpart || slice_equal(entry->manager.name, ownership->writer.manager.name) ||
        ownership_class(ownership, entry) != CLASS_APPLIER)
        return ANSWER_NO;
    enum search_answer owned = fieldset_contains(finder->review->lookup, entry_fields(entry), path);
    return owned != ANSWER_YES
        ? owned
        : fieldset_contains(finder->review->lookup, entry_fields(entry->counterpart), path);
}

/* Whether the previous owner still has it, another applier still declares it, or a move explains the loss. */
static enum search_answer is_kept(struct finder *finder, const struct path *path)
{
    struct lookup *lookup = finder->review->lookup;
    const struct managed_fields *after = &finder->review->ownership.after;
    const struct managed_fields_entry *rest = finder->previous_owner->counterpart;
    enum search_answer kept = rest ? fieldset_contains(lookup, entry_fields(rest), path) : ANSWER_NO;
    if (kept == ANSWER_NO && !read_extents(finder))
        kept = ANSWER_UNKNOWN;
    for (size_t i = 0; i < after->count && kept == ANSWER_NO; i++) {
        if (!effort_spend(lookup_effort(lookup), EFFORT_OWNERS, 1))
            kept = ANSWER_UNKNOWN;
        else
            kept = is_moved_to(finder, &after->entries[i], finder->extents[i], path);
        if (kept == ANSWER_NO)
            kept = is_declared_by(finder, &after->entries[i], path);
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
            ? fieldset_contains(lookup, entry_fields(&after->entries[i]), path)
            : ANSWER_UNKNOWN;
    return owned;
}

/*
 * Whether the writer has it now: another webhook may have put the old value back, or the API server stored
 * what was written in the same form as before.
 */
static bool may_be_written(const struct finder *finder, const struct path *path)
{
    const struct managed_fields_entry *writer = finder->review->ownership.writer.after;
    return writer && !finder->is_whole &&
        fieldset_contains(finder->review->lookup, entry_fields(writer), path) != ANSWER_NO;
}

/*
 * Whether an apply by force may have taken a value that stays: the API server compares what is stored with
 * what is declared, which may spell a quantity otherwise, 1000m for 1, or leave out a default, such as the
 * apiGroup of a subject.
 */
static bool may_be_applied(struct finder *finder, const struct path *path)
{
    const struct writer *writer = &finder->review->ownership.writer;
    return writer->manager.operation == MANAGER_APPLY && writer->after &&
        fieldset_contains(finder->review->lookup, entry_fields(writer->after), path) != ANSWER_NO &&
        kept_values_may_have_other_form(&finder->values, path);
}

/* Whether an update may have taken such a value. The loss of an applier is worth a warning nevertheless. */
static bool may_be_updated(struct finder *finder, const struct path *path)
{
    const struct ownership *ownership = &finder->review->ownership;
    return ownership->writer.manager.operation == MANAGER_UPDATE &&
        ownership_class(ownership, finder->previous_owner) != CLASS_APPLIER &&
        kept_values_may_have_other_form(&finder->values, path);
}

/* Beyond what is counted, who has lost anything is still asked. */
static bool visit_lost(void *context, const struct path *path)
{
    struct finder *finder = context;
    const struct review *review = finder->review;
    if (field_is_bookkeeping(path) || kept_values_has(&finder->values, path) != ANSWER_YES ||
        kept_values_are_restored(review, path) || is_kept(finder, path) != ANSWER_NO)
        return true;
    bool is_applied = may_be_applied(finder, path);
    bool is_doubt = is_applied || may_be_written(finder, path);
    if (is_doubt && (is_applied ? kept_values_are_quantities(path) : may_be_updated(finder, path)))
        return true;
    struct rewritten_fields *fields = is_doubt ? &finder->doubts.fields : &finder->losses.fields;
    finder->has_doubt |= is_doubt;
    finder->has_other_doubt |= is_doubt && !is_applied;
    finder->has_lost |= !is_doubt;
    if (!is_doubt && !finder->rewrites->are_owned)
        finder->rewrites->are_owned = is_owned(finder, path) != ANSWER_NO;
    rewritten_fields_add(fields, path, review->arena);
    return !fields->at_least;
}

/* The API server drops the entries of a version that the API no longer has, all of them. */
static bool may_be_dropped(const struct finder *finder, const struct managed_fields_entry *entry)
{
    const struct managed_fields *after = &finder->review->ownership.after;
    if (!after->count || entry_is_comparable(finder->review, entry))
        return false;
    for (size_t i = 0; i < after->count; i++) {
        if (slice_equal(after->entries[i].api_version, entry->api_version))
            return false;
    }
    return true;
}

/* A named writer may give up its own fields. An unnamed one is only guessed, by what its entry gained. */
static bool is_named_writer(const struct review *review, const struct managed_fields_entry *entry)
{
    return review->field_manager.length && slice_equal(entry->manager.name, review->field_manager);
}

static bool may_lose(const struct finder *finder, const struct managed_fields_entry *entry)
{
    return !entry->same_fields && !is_named_writer(finder->review, entry) && !may_be_dropped(finder, entry);
}

static void add_previous_owner(struct losses *losses, const struct manager *previous_owner)
{
    if (losses->previous_owner_count < FINDING_PREVIOUS_OWNERS_MAX)
        losses->previous_owners[losses->previous_owner_count++] = *previous_owner;
    losses->previous_owner_total++;
}

static void find_lost_of(struct finder *finder, const struct managed_fields_entry *entry)
{
    struct rewrites *rewrites = finder->rewrites;
    finder->previous_owner = entry;
    finder->has_extents = finder->has_lost = finder->has_doubt = false;
    if (ownership_class(&finder->review->ownership, entry) == CLASS_BOOKKEEPING)
        return;
    finder->is_whole = is_taken_whole(finder, entry);
    enum fields_result result = fields_difference(
        entry_fields(entry), entry->counterpart ? entry_fields(entry->counterpart) : NULL,
        finder->review->lookup, visit_lost, finder);
    if (fields_unread(result))
        rewrites->unread = result;
    if (finder->has_lost)
        add_previous_owner(&finder->losses, &entry->manager);
    if (finder->has_doubt)
        add_previous_owner(&finder->doubts, &entry->manager);
    finder->has_rest |= finder->has_lost && entry->counterpart;
    finder->has_hurt |= finder->has_lost && !slice_equal(entry->manager.subresource, SLICE("status"));
}

/* Most reviews need none of this. */
static bool prepare(struct finder *finder)
{
    const struct review *review = finder->review;
    if (finder->extents)
        return true;
    finder->losses.previous_owners =
        arena_allocate_array(review->arena, FINDING_PREVIOUS_OWNERS_MAX, sizeof(struct manager));
    finder->doubts.previous_owners =
        arena_allocate_array(review->arena, FINDING_PREVIOUS_OWNERS_MAX, sizeof(struct manager));
    finder->extents =
        arena_allocate_array(review->arena, review->ownership.after.count + 1, sizeof(*finder->extents));
    return finder->losses.previous_owners && finder->doubts.previous_owners && finder->extents &&
        kept_values_start(&finder->values, review);
}

static void find_lost(struct finder *finder)
{
    const struct managed_fields *before = &finder->review->ownership.before;
    for (size_t i = 0; i < before->count; i++) {
        const struct managed_fields_entry *entry = &before->entries[i];
        if (!may_lose(finder, entry))
            continue;
        if (!prepare(finder))
            break;
        find_lost_of(finder, entry);
    }
}

/* Several may have owned a field: each is listed once. */
static void list(
    struct rewrites *rewrites, enum rewrites_kind kind, struct rewritten_fields *fields,
    const struct manager *managers, size_t count, size_t total)
{
    rewritten_fields_sort(fields);
    rewrites->kind = kind;
    rewrites->fields = fields->items;
    rewrites->field_total = fields->count;
    rewrites->field_count = fields->count < FINDING_FIELDS_MAX ? fields->count : FINDING_FIELDS_MAX;
    rewrites->at_least = fields->at_least;
    rewrites->managers = managers;
    rewrites->manager_count = count;
    rewrites->manager_total = total;
}

static void list_losses(struct rewrites *rewrites, enum rewrites_kind kind, struct losses *losses)
{
    list(
        rewrites, kind, &losses->fields, losses->previous_owners, losses->previous_owner_count,
        losses->previous_owner_total);
}

static void list_gains(struct finder *finder, struct ownership_gains *gains)
{
    struct rewrites *rewrites = finder->rewrites;
    if (gains->of_others.count) {
        list(
            rewrites, REWRITES_GAIN, &gains->of_others, gains->gainers, gains->gainer_count,
            gains->gainer_total);
    } else if (gains->version_total) {
        struct rewritten_fields none = {0};
        list(rewrites, REWRITES_VERSION, &none, gains->versions, gains->version_count, gains->version_total);
    } else if (gains->of_writer.count || finder->doubts.fields.count) {
        rewrites->applied = !finder->has_other_doubt && !gains->of_writer.count;
        rewritten_fields_add_all(&finder->doubts.fields, &gains->of_writer, finder->review->arena);
        list_losses(rewrites, REWRITES_DOUBT, &finder->doubts);
    }
}

struct rewrites ownership_rewrites_find(const struct review *review, const struct policy *policy)
{
    struct rewrites rewrites = {0};
    const struct ownership *ownership = &review->ownership;
    const struct ownership_rewrites_settings *settings = policy->settings[RULE_managedfields_rewritten];
    struct finder finder = {.review = review, .rewrites = &rewrites, .moves = &settings->moves};
    if (moves_clear_all(review))
        return rewrites;
    find_lost(&finder);
    rewrites.wiped = !rewrites.are_owned && !finder.has_rest &&
        ownership->after.count == (ownership->writer.after ? 1 : 0);
    if (finder.has_hurt) {
        list_losses(&rewrites, REWRITES_LOSS, &finder.losses);
    } else {
        struct ownership_gains gains = ownership_gains_find(review, &settings->moves);
        if (gains.unread)
            rewrites.unread = gains.unread;
        list_gains(&finder, &gains);
    }
    /* Then fields or managers are missing. */
    if (arena_has_failed(review->arena))
        rewrites.kind = REWRITES_NOTHING;
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

/* About as many bytes as FieldsV1 needs for all fields of a value, whose values it does not hold. */
static size_t fields_bytes(yyjson_val *value, unsigned depth)
{
    const size_t member = sizeof("\"f:\":{},") - 1;
    const size_t item = sizeof("\"k:{}\":{},") - 1;
    if (depth == 0)
        return 0;
    size_t bytes = 0;
    json_each_key(key, value) {
        yyjson_val *each = yyjson_obj_iter_get_val(key);
        bytes += yyjson_get_len(key) + member + fields_bytes(each, depth - 1);
    }
    json_each_item(each, value)
        bytes += item + fields_bytes(each, depth - 1);
    return bytes;
}

/*
 * The bytes of the new object with its managedFields, which the API server may have dropped. They grow by the
 * fields that are new: each has an owner.
 */
static size_t bytes_with_owners(const struct review *review)
{
    yyjson_val *owners = review->old_parts.metadata.managed_fields;
    size_t fields = fields_bytes(review->object, JSON_DEPTH_MAX);
    /* managedFields lie two levels below the object. */
    size_t old_fields =
        fields_bytes(review->old_object, JSON_DEPTH_MAX) - fields_bytes(owners, JSON_DEPTH_MAX - 2);
    return json_bytes(review->object) + json_bytes(owners) + (fields > old_fields ? fields - old_fields : 0);
}

enum ownership_rewrites_cause ownership_rewrites_cause(const struct review *review)
{
    if (review->ownership.after.count)
        return REWRITES_OF_REQUEST;
    if (bytes_with_owners(review) >= TOO_LARGE_BYTES)
        return REWRITES_TOO_LARGE;
    return needs_conversion(review) ? REWRITES_NOT_CONVERTED : REWRITES_OF_REQUEST;
}

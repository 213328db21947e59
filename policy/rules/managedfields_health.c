#include "base/json.h"
#include "policy/analysis/first_apply.h"
#include "policy/analysis/ownership_rewrites.h"
#include "policy/config/config.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct managedfields_health_settings {
    size_t share_percent;
    size_t min_bytes;
};

/* Half of a small object is common; tens of kilobytes are not. */
static const struct managedfields_health_settings defaults = {.share_percent = 50, .min_bytes = 32768};

static const struct setting settings[] = {
    {"sharePercent", SETTING_PERCENT, offsetof(struct managedfields_health_settings, share_percent),
     "managedFields may be this much of the object's bytes"},
    {"minBytes", SETTING_BYTES, offsetof(struct managedfields_health_settings, min_bytes),
     "fewer bytes of managedFields are never too many"},
};

static void report(
    const struct review *review, struct verdict *verdict, enum action action, struct slice message)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_managedfields_health,
            .action = action,
            .message = message,
            FINDING_WRITER(review->ownership.writer),
        });
}

/*
 * The writer gets a finding for the state that its request causes; an existing state is reported to appliers
 * only, and never denied.
 */
static enum action action_for(const struct review *review, bool was_so)
{
    if (!was_so)
        return ACTION_DENY;
    return applied_kind(review) == APPLIED_NOTHING ? ACTION_OFF : ACTION_WARN;
}

/* An object whose only owner lets go of all has lost nothing. */
static void judge_absence(const struct review *review, struct verdict *verdict)
{
    const struct ownership *ownership = &review->ownership;
    if (ownership->after.count || !ownership->before.count ||
        verdict_next(verdict, RULE_managedfields_rewritten, ACTION_OFF, NULL))
        return;
    struct rewrites rewrites = ownership_rewrites_find(review, verdict->policy);
    if (rewrites.kind != REWRITES_LOSS)
        return;
    static const char *const words[] = {
        [REWRITES_OF_REQUEST] =
            "it has lost its managedFields, so nothing tells any more which tool owns which field",
        [REWRITES_TOO_LARGE] = "it is too large to be stored with managedFields, so nothing tells any more "
                               "which tool owns which field; make it smaller",
        [REWRITES_NOT_CONVERTED] =
            "the API server drops its managedFields, because it cannot convert those of "
            "another version; repair the CRD's conversion webhook",
    };
    enum ownership_rewrites_cause cause = ownership_rewrites_cause(review);
    /* The writer cannot avoid it. */
    report(
        review, verdict, cause == REWRITES_NOT_CONVERTED ? ACTION_WARN : ACTION_DENY, slice_of(words[cause]));
}

static bool is_merged(const struct managed_fields *side)
{
    for (size_t i = 0; i < side->count; i++) {
        if (slice_equal(side->entries[i].manager.name, SLICE("ancient-changes")))
            return true;
    }
    return false;
}

/* Whether the request drives one more owner out of its entry: it may be an applier that owned it for long. */
static bool merges_another(const struct review *review)
{
    const struct managed_fields *before = &review->ownership.before;
    for (size_t i = 0; i < before->count && before->updates >= UPDATE_ENTRIES_MAX; i++) {
        const struct managed_fields_entry *entry = &before->entries[i];
        if (!entry->counterpart && ownership_class(&review->ownership, entry) == CLASS_APPLIER &&
            entry->manager.operation == MANAGER_UPDATE &&
            !slice_equal(entry->manager.name, review->ownership.writer.manager.name))
            return true;
    }
    return false;
}

static void judge_entries(const struct review *review, struct verdict *verdict)
{
    const struct managed_fields *before = &review->ownership.before, *after = &review->ownership.after;
    bool merged = is_merged(after);
    if (!merged && after->updates < UPDATE_ENTRIES_MAX)
        return;
    bool was_so =
        merged ? is_merged(before) && !merges_another(review) : before->updates >= UPDATE_ENTRIES_MAX;
    enum action action = action_for(review, was_so);
    report(
        review, verdict, action,
        text_join(
            review->arena,
            merged ? "over 10 managers wrote it, so Kubernetes merged the oldest (ancient-changes); "
                   : "10 managers wrote it, the most that Kubernetes tracks; ",
            "give each tool one fixed --field-manager"));
}

struct size {
    size_t bytes;   /* of managedFields */
    size_t percent; /* of the object; 0 where there are fewer than `min_bytes` */
};

static struct size measure(yyjson_val *object, yyjson_val *managed_fields, size_t min_bytes)
{
    struct size size = {.bytes = json_bytes(managed_fields)};
    if (managed_fields && size.bytes >= min_bytes)
        size.percent = size.bytes * 100 / json_bytes_around(object, managed_fields, size.bytes);
    return size;
}

static bool is_too_large(const struct size *size, const struct managedfields_health_settings *set)
{
    return size->bytes >= set->min_bytes && size->percent > set->share_percent;
}

static void judge_size(
    const struct review *review, struct verdict *verdict, const struct managedfields_health_settings *set)
{
    if (review->bytes < set->min_bytes || !review->ownership.after.count)
        return;
    yyjson_val *object = managed_fields_object(&review->ownership.after, review->object);
    struct size after = measure(object, json_metadata(object, SLICE("managedFields")), set->min_bytes);
    if (!is_too_large(&after, set))
        return;
    struct size before =
        measure(review->old_object, review->old_parts.metadata.managed_fields, set->min_bytes);
    report(
        review, verdict, action_for(review, is_too_large(&before, set)),
        text_join(
            review->arena, "managedFields take up ", after.percent, " % of the object (", after.bytes,
            " bytes); let fewer tools set the same fields"));
}

static void report_removal(
    const struct review *review, struct verdict *verdict, enum action action,
    const struct finding_fields *fields)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_managedfields_health,
            .action = action,
            .message = text_join(
                review->arena, "it had no managedFields, so the next ",
                message_manager(&review->ownership.writer.manager), " removes ",
                message_fields(fields->items, fields->total), "; declare what must stay"),
            FINDING_FIELDS(*fields),
            .has_writer = true,
            .writer = review->ownership.writer.manager,
        });
}

/* Undeclared fields are mostly meant to go; declared ones may be missed. */
static void judge_first_apply(const struct review *review, struct verdict *verdict)
{
    struct first_apply found;
    if (!first_apply_find(review, &found))
        return;
    if (found.result != FIELDS_OK)
        verdict_add_unread_fields(verdict, found.result);
    else if (found.declared.total)
        report_removal(review, verdict, ACTION_WARN, &found.declared);
    else if (found.undeclared.total)
        report_removal(review, verdict, ACTION_AUDIT, &found.undeclared);
}

static void judge(const struct review *review, struct verdict *verdict)
{
    judge_absence(review, verdict);
    judge_first_apply(review, verdict);
    judge_entries(review, verdict);
    judge_size(review, verdict, verdict->policy->settings[RULE_managedfields_health]);
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    (void)object;
    judge_entries(review, verdict);
    judge_size(review, verdict, verdict->policy->settings[RULE_managedfields_health]);
}

const struct rule_definition rule_managedfields_health = {
    .judge = judge,
    .judge_object = judge_object,
    RULE_SETTINGS(settings, defaults),
};

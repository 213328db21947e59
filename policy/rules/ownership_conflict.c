#include "base/array_size.h"
#include "base/json.h"
#include "policy/analysis/conflict_words.h"
#include "policy/analysis/takeover_history.h"
#include "policy/analysis/takeover_keys.h"
#include "policy/config/config.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

#define OFF ACTION_OFF
#define AUDIT ACTION_AUDIT
#define WARN ACTION_WARN
#define DENY ACTION_DENY

/* By the class of the previous owner. */
#define ROW(applier, controller, unknown, ad_hoc)                                                            \
    {                                                                                                        \
        [CLASS_APPLIER] = applier, [CLASS_CONTROLLER] = controller, [CLASS_UNKNOWN] = unknown,               \
        [CLASS_AD_HOC] = ad_hoc                                                                              \
    }

/* [writer][previous owner]. Taking a field back from an edit heals. */
static const struct conflict_settings baseline_defaults = {
    .takeover =
        {
            [CLASS_APPLIER] = ROW(WARN, WARN, WARN, AUDIT),
            [CLASS_CONTROLLER] = ROW(WARN, AUDIT, AUDIT, AUDIT),
            [CLASS_OPERATOR] = ROW(WARN, AUDIT, AUDIT, AUDIT),
            [CLASS_AD_HOC] = ROW(WARN, AUDIT, AUDIT, AUDIT),
        },
};

static const struct conflict_settings strict_defaults = {
    .takeover =
        {
            [CLASS_APPLIER] = ROW(DENY, DENY, WARN, AUDIT),
            [CLASS_CONTROLLER] = ROW(WARN, AUDIT, AUDIT, AUDIT),
            [CLASS_OPERATOR] = ROW(WARN, AUDIT, AUDIT, AUDIT),
            [CLASS_AD_HOC] = ROW(DENY, WARN, WARN, AUDIT),
        },
};

static const struct setting settings[] = {
    {"ignoreFields", SETTING_PATHS, offsetof(struct conflict_settings, ignore_fields),
     "fields that may change hands"},
    {"takeover", SETTING_TAKEOVER, offsetof(struct conflict_settings, takeover),
     "what comes of who takes from whom"},
};

/* A day, which is also the longest window of contested-field. */
#define REMEMBERED_SECONDS ((int64_t)24 * 3600)

static bool was_taken(
    const struct review *review, const struct verdict *verdict, const struct manager *previous_owner,
    struct slice field)
{
    struct text text = text_start(review->arena, 256);
    takeover_append_object(&text, review);
    text_append(&text, takeover_field(field));
    struct slice key = text_slice(&text), writer = takeover_manager_key(previous_owner, review->arena);
    return key.bytes && writer.bytes &&
        takeover_history_was_taken(verdict->takeover_history, key, writer, verdict->now, REMEMBERED_SECONDS);
}

/* This server has seen the previous owner take the fields: the tool that puts them back is in the right. */
static enum action action_of(
    const struct review *review, const struct verdict *verdict, const struct conflict_group *group)
{
    if (!group->heals || !verdict->takeover_history || group->field_count > FINDING_FIELDS_MAX)
        return group->action;
    for (size_t i = 0; i < group->field_count; i++) {
        if (!was_taken(review, verdict, &group->previous_owners[0]->manager, group->fields[i]))
            return group->action;
    }
    return action_min(group->action, ACTION_AUDIT);
}

static void report(const struct review *review, struct verdict *verdict, const struct conflict_group *group)
{
    size_t listed = group->previous_owner_count < FINDING_PREVIOUS_OWNERS_MAX ? group->previous_owner_count
                                                                              : FINDING_PREVIOUS_OWNERS_MAX;
    struct manager *previous_owners = arena_allocate_array(review->arena, listed, sizeof(*previous_owners));
    if (!previous_owners) {
        verdict->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < listed; i++)
        previous_owners[i] = group->previous_owners[i]->manager;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ownership_conflict,
            .action = action_of(review, verdict, group),
            .message = conflict_words(review, group, previous_owners, listed),
            .fields = group->fields,
            .field_count = group->field_count < FINDING_FIELDS_MAX ? group->field_count : FINDING_FIELDS_MAX,
            .field_total = group->field_count,
            .field_known = group->at_least ? 0 : group->field_count,
            .has_writer = review->ownership.writer.known,
            .writer = review->ownership.writer.manager,
            .previous_owners = previous_owners,
            .previous_owner_count = listed,
            .previous_owner_total = group->previous_owner_count,
        });
}

static void report_overflow(const struct review *review, struct verdict *verdict, enum action action)
{
    struct text text = text_start(review->arena, 128);
    message_append_writer(&text, review);
    text_append_string(&text, " changes or removes more fields of other managers than can be listed");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ownership_conflict,
            .action = action,
            .message = text_slice(&text),
            .has_writer = review->ownership.writer.known,
            .writer = review->ownership.writer.manager,
        });
}

/* An entry of another version may name a field that the object's version calls otherwise. */
static void report_unresolved(
    const struct review *review, struct verdict *verdict, const struct conflicts *conflicts)
{
    struct slice version = json_text(review->parts.api_version);
    const struct managed_fields_entry *owner = conflicts->unresolved_owner;
    struct text text = text_start(review->arena, 128);
    message_append_fields(&text, &conflicts->unresolved_field, conflicts->unresolved);
    if (slice_equal(owner->api_version, version)) {
        text_append_string(&text, " cannot be found in both the old and the new object");
    } else {
        message_append_for(&text, conflicts->unresolved, " is", " are");
        text_append_string(&text, " recorded for ");
        message_append_marked(&text, owner->api_version);
        text_append_string(&text, ", and the object is ");
        message_append_marked(&text, version);
        text_append_string(&text, "; you need do nothing");
    }
    verdict_note_unjudged(verdict, text_slice(&text));
}

static void report_unjudged(
    const struct review *review, struct verdict *verdict, const struct conflicts *conflicts)
{
    if (conflicts->undecided)
        verdict_add_undecided(verdict);
    if (conflicts->unread)
        verdict_add_unread_fields(verdict, conflicts->unread);
    if (conflicts->unresolved)
        report_unresolved(review, verdict, conflicts);
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct ownership *ownership = &review->ownership;
    if (!review->old_object || !ownership->others_changed || ownership->writer.class == CLASS_BOOKKEEPING)
        return;
    struct conflicts conflicts = conflicts_collect(
        review, verdict->policy->settings[RULE_ownership_conflict],
        verdict->policy_actions[RULE_dropped_replicas] != ACTION_OFF);
    size_t count = 0;
    const struct conflict_group *groups =
        conflicts.count ? conflicts_group(&conflicts, review->arena, &count) : NULL;
    if (conflicts.out_of_memory || (conflicts.count && !groups)) {
        verdict->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        report(review, verdict, &groups[i]);
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        if (conflicts.overflowed[action])
            report_overflow(review, verdict, (enum action)action);
    }
    report_unjudged(review, verdict, &conflicts);
}

const struct rule_definition rule_ownership_conflict = {
    .judge = judge,
    .settings = settings,
    .setting_count = ARRAY_SIZE(settings),
    .settings_size = sizeof(baseline_defaults),
    .defaults = {&baseline_defaults, &baseline_defaults, &strict_defaults},
};

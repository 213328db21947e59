#include "base/array_size.h"
#include "base/json.h"
#include "policy/analysis/conflict_words.h"
#include "policy/analysis/lost_fields.h"
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

static void report(
    const struct review *review, struct verdict *verdict, const struct lost_fields_group *group)
{
    struct finding finding = group->finding;
    finding.message = conflict_words(
        review, group->conflicts, finding.previous_owners, finding.previous_owner_count,
        finding.policy_action == ACTION_DENY);
    verdict_add(verdict, &finding);
}

static void report_overflow(const struct review *review, struct verdict *verdict, enum action action)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ownership_conflict,
            .action = action,
            .message = text_join(
                review->arena, message_writer(review),
                " changes or removes more fields of other managers than can be listed"),
            FINDING_WRITER(review->ownership.writer),
        });
}

/* An entry of another version may name a field that the object's version calls otherwise. */
static void report_unresolved(
    const struct review *review, struct verdict *verdict, const struct conflicts *conflicts)
{
    struct slice version = json_text(review->parts.api_version);
    const struct managed_fields_entry *owner = conflicts->unresolved_owner;
    const struct text_listed fields = message_fields(&conflicts->unresolved_field, conflicts->unresolved);
    verdict_note_unjudged(
        verdict,
        slice_equal(owner->api_version, version)
            ? text_join(review->arena, fields, " cannot be found in both the old and the new object")
            : text_join(
                  review->arena, fields, message_for(conflicts->unresolved, " is", " are"), " recorded for ",
                  message_marked(owner->api_version), ", and the object is ", message_marked(version),
                  "; you need do nothing"));
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
    const struct lost_fields *lost = lost_fields_find(review, verdict);
    for (size_t i = 0; i < lost->count; i++)
        report(review, verdict, &lost->groups[i]);
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        if (lost->conflicts.overflowed[action])
            report_overflow(review, verdict, (enum action)action);
    }
    report_unjudged(review, verdict, &lost->conflicts);
}

const struct rule_definition rule_ownership_conflict = {
    .judge = judge,
    .settings = settings,
    .setting_count = ARRAY_SIZE(settings),
    .settings_size = sizeof(baseline_defaults),
    .defaults = {&baseline_defaults, &baseline_defaults, &strict_defaults},
};

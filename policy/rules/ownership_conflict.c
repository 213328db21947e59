#include "policy/analysis/conflicts.h"
#include "policy/analysis/replicas.h"
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

/* Rows: the taker; columns: applier, controller, ad-hoc lose. Taking a field back from an edit heals. */
static const struct conflict_settings baseline_defaults = {
    .takeover =
        {
            [CLASS_APPLIER] = {WARN, WARN, AUDIT},
            [CLASS_CONTROLLER] = {WARN, AUDIT, AUDIT},
            [CLASS_AD_HOC] = {WARN, AUDIT, AUDIT},
        },
};

static const struct conflict_settings strict_defaults = {
    .takeover =
        {
            [CLASS_APPLIER] = {DENY, DENY, AUDIT},
            [CLASS_CONTROLLER] = {WARN, AUDIT, AUDIT},
            [CLASS_AD_HOC] = {DENY, WARN, AUDIT},
        },
};

static const struct setting settings[] = {
    {"ignoreFields", SETTING_PATHS, offsetof(struct conflict_settings, ignore_fields),
     "fields that may change hands"},
    {"takeover", SETTING_TAKEOVER, offsetof(struct conflict_settings, takeover),
     "what comes of who takes from whom"},
};

static bool names_replicas(const struct conflict_group *group)
{
    for (size_t i = 0; i < group->field_count; i++) {
        if (slice_equal(group->fields[i], SLICE(REPLICAS_PATH)))
            return true;
    }
    return false;
}

static void append_what_follows(
    struct text *text, const struct review *review, const struct conflict_group *group)
{
    const struct ownership *ownership = &review->ownership;
    enum manager_class loser = ownership_class(ownership, group->losers[0]);
    enum manager_class taker = ownership->taker.class;
    bool server_side = group->losers[0]->manager.operation == MANAGER_APPLY;
    if (group->undeclared)
        text_append_string(text, ", which does not declare it");
    else if (loser == CLASS_CONTROLLER && taker == CLASS_APPLIER && names_replicas(group))
        text_append_string(text, ", and they will fight; once that owns it again, declare replicas no more");
    else if (loser == CLASS_CONTROLLER && taker == CLASS_APPLIER)
        text_append_string(text, ", which will set it again; declare it no more");
    else if (loser == CLASS_CONTROLLER && taker == CLASS_AD_HOC)
        text_append_string(text, ", which may set it again");
    else if (loser == CLASS_APPLIER && taker == CLASS_CONTROLLER)
        text_append_string(text, ", which declares it; let only one of them set it");
    else if (loser == CLASS_APPLIER && taker == CLASS_APPLIER)
        text_append_string(text, "; let only one of them declare it");
    else if (loser == CLASS_APPLIER && server_side)
        text_append_string(text, ", which will conflict or take it back; change it at its source");
    else if (loser == CLASS_APPLIER)
        text_append_string(text, ", which will put it back; change it at its source");
}

static struct slice describe(
    const struct review *review, const struct conflict_group *group, const struct manager *losers,
    size_t listed)
{
    struct text text = text_start(review->arena, 256);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(
        &text,
        !group->removed     ? " takes "
            : !group->taken ? " removes "
                            : " takes or removes ");
    if (group->at_least)
        message_append_fields_at_least(&text, group->fields, group->field_count);
    else
        message_append_fields(&text, group->fields, group->field_count);
    text_append_string(&text, group->removed && !group->taken ? " of " : " from ");
    message_append_managers(&text, losers, listed, group->loser_count);
    append_what_follows(&text, review, group);
    return text_slice(&text);
}

static void report(const struct review *review, struct verdict *verdict, const struct conflict_group *group)
{
    size_t listed = group->loser_count < FINDING_LOSERS_MAX ? group->loser_count : FINDING_LOSERS_MAX;
    struct manager *losers = arena_allocate_array(review->arena, listed, sizeof(*losers));
    if (!losers) {
        verdict->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < listed; i++)
        losers[i] = group->losers[i]->manager;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ownership_conflict,
            .action = group->action,
            .message = describe(review, group, losers, listed),
            .fields = group->fields,
            .field_count = group->field_count < FINDING_FIELDS_MAX ? group->field_count : FINDING_FIELDS_MAX,
            .field_total = group->field_count,
            .field_known = group->at_least ? 0 : group->field_count,
            .has_taker = review->ownership.taker.known,
            .taker = review->ownership.taker.manager,
            .losers = losers,
            .loser_count = listed,
            .loser_total = group->loser_count,
        });
}

static void report_uncounted(const struct review *review, struct verdict *verdict, enum action action)
{
    struct text text = text_start(review->arena, 128);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, " takes or removes more fields of other managers than can be told apart");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ownership_conflict,
            .action = action,
            .message = text_slice(&text),
            .has_taker = review->ownership.taker.known,
            .taker = review->ownership.taker.manager,
        });
}

static void report_unjudged(
    const struct review *review, struct verdict *verdict, const struct conflicts *conflicts)
{
    if (conflicts->undecided)
        verdict_add_undecided(verdict);
    if (conflicts->unreadable) {
        struct text text = text_start(review->arena, 96);
        text_append_string(&text, "an entry of the old object's managedFields ");
        text_append_string(&text, conflicts->unreadable);
        verdict_add_unjudged(verdict, text_slice(&text));
    }
    if (conflicts->unresolved) {
        struct text text = text_start(review->arena, 96);
        text_append_number(&text, conflicts->unresolved);
        text_append_string(
            &text,
            conflicts->unresolved == 1 ? " lost field cannot be found in both objects"
                                       : " lost fields cannot be found in both objects");
        verdict_add_unjudged(verdict, text_slice(&text));
    }
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct ownership *ownership = &review->ownership;
    if (!review->old_object || !ownership->others_changed || ownership->taker.class == CLASS_BOOKKEEPING)
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
        if (conflicts.uncounted[action])
            report_uncounted(review, verdict, (enum action)action);
    }
    report_unjudged(review, verdict, &conflicts);
}

const struct rule_definition rule_ownership_conflict = {
    .judge = judge,
    .settings = settings,
    .setting_count = sizeof(settings) / sizeof(settings[0]),
    .settings_size = sizeof(baseline_defaults),
    .defaults = {&baseline_defaults, &baseline_defaults, &strict_defaults},
};

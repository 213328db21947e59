#include "base/count.h"
#include "manifest/groups.h"
#include "policy/analysis/conflicts.h"
#include "policy/analysis/replicas.h"
#include "policy/analysis/suspension.h"
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

/* By the class of the loser. */
#define ROW(applier, controller, unknown, ad_hoc)                                                            \
    {                                                                                                        \
        [CLASS_APPLIER] = applier, [CLASS_CONTROLLER] = controller, [CLASS_UNKNOWN] = unknown,               \
        [CLASS_AD_HOC] = ad_hoc                                                                              \
    }

/* [taker][loser]. Taking a field back from an edit heals. */
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

static bool names_replicas(const struct conflict_group *group)
{
    for (size_t i = 0; i < group->field_count; i++) {
        if (slice_equal(group->fields[i], SLICE(REPLICAS_PATH)))
            return true;
    }
    return false;
}

/* How people speak of an applier that takes: what it declares, it writes over what others set. */
static const char *verb_of(const struct review *review, const struct conflict_group *group)
{
    bool applies = class_applies(review->ownership.taker.class);
    if (group->heals)
        return group->removed ? " sets back or removes " : " sets back ";
    if (!group->removed)
        return applies ? " overwrites " : " changes ";
    if (!group->taken)
        return " removes ";
    return applies ? " overwrites or removes " : " changes or removes ";
}

/*
 * Helm compares custom resources with the release before, and not with the object, and leaves alone what has
 * not changed in its chart (helm, pkg/kube/client.go, createPatch).
 */
static bool may_leave_alone(const struct review *review, const struct managed_fields_entry *loser)
{
    return loser->manager.operation == MANAGER_UPDATE && !is_builtin_group(review->group) &&
        !entry_applies_client_side(&review->ownership, loser);
}

/* Whether Flux itself declares what a person suspends or resumes. */
static bool is_suspension(const struct review *review, const struct conflict_group *group)
{
    return group->field_count == 1 && slice_equal(group->fields[0], SLICE(SUSPEND_PATH)) &&
        manager_tool(group->losers[0]->manager.name) == TOOL_FLUX && is_of_flux_suspend(review);
}

/* What a manifest, or its applier, will do about the change. */
static void append_healing(struct text *text, const struct review *review, const struct conflict_group *group)
{
    const struct managed_fields_entry *loser = group->losers[0];
    message_append_for(text, group->loser_count, " manages", " manage");
    if (is_suspension(review, group)) {
        text_append_string(
            text, ": Flux undoes this at its next reconcile; suspend the parent, or change Git");
        return;
    }
    text_append_string(
        text,
        loser->manager.operation == MANAGER_APPLY ? ": the next apply fails or undoes this"
            : may_leave_alone(review, loser)      ? ": the next apply may undo this"
                                                  : ": the next apply undoes this");
    text_append_string(text, "; change the manifest instead");
}

/* How an applier leaves replicas to the autoscaler that scales them, where it can with no pod lost. */
static const char *handing_over(const struct review *review)
{
    const struct taker *taker = &review->ownership.taker;
    if (taker->manager.operation == MANAGER_APPLY)
        return "; once that has set replicas again, remove replicas from the manifest";
    /* kubectl deletes what the annotation declares and the manifest no longer does. */
    if (review->last_applied.after.bytes && taker->after &&
        entry_applies_client_side(&review->ownership, taker->after))
        return "; once that has set replicas again, remove replicas with kubectl apply "
               "edit-last-applied, then from the manifest";
    /* These write the whole object, whatever their manifests leave out. */
    if (slice_equal(taker->manager.name, SLICE("kapp")))
        return "; keep what it sets with a rebase rule of kapp";
    if (slice_equal(taker->manager.name, SLICE("argocd-application-controller")))
        return "; leave replicas out of the manifest, and drop Replace=true";
    /* Helm and others delete what they declared before and no longer do, whoever owns it by then. */
    return "; leave replicas out of the manifest: removing it may reset it to 1 once";
}

/*
 * What is removed is not in the manifest: the apply replaces the list that it is in, or the whole object, or
 * deletes what the manifest had before.
 */
static void append_keeping(struct text *text, const struct review *review, const struct conflict_group *group)
{
    if (review->ownership.taker.manager.operation == MANAGER_UPDATE)
        message_append_for(
            text, group->field_count, "; server-side apply keeps it", "; server-side apply keeps them");
}

/* What a controller that loses the field will do about it. */
static void append_struggle(
    struct text *text, const struct review *review, const struct conflict_group *group)
{
    message_append_for(text, group->loser_count, " controls", " control");
    if (review->ownership.taker.class != CLASS_APPLIER) {
        text_append_string(text, " and may set again; change the settings of that controller instead");
    } else if (names_replicas(group)) {
        text_append_string(text, handing_over(review));
    } else if (!group->taken) {
        text_append_string(text, " and will set again");
        append_keeping(text, review, group);
    } else if (group->required) {
        /* The manifest cannot leave the field out. */
        text_append_string(text, " and will set again; declare what it sets, or stop it from setting ");
        message_append_for(text, group->field_count, "it", "them");
    } else {
        text_append_string(text, " and will set again; remove ");
        message_append_for(text, group->field_count, "it", "them");
        text_append_string(text, " from the manifest");
    }
}

/* The rest of a sentence that ends with those who lose the fields. */
static void append_what_follows(
    struct text *text, const struct review *review, const struct conflict_group *group)
{
    enum manager_class loser = group->loser_class;
    enum manager_class taker = review->ownership.taker.class;
    if (group->undeclared) {
        message_append_for(text, group->loser_count, " owns, but", " own, but");
        text_append_string(text, " probably only as a default");
    } else if (group->heals) {
        text_append_string(text, " changed");
    } else if (loser == CLASS_CONTROLLER && !class_is_unattended(taker)) {
        append_struggle(text, review, group);
    } else if (loser == CLASS_APPLIER && taker == CLASS_APPLIER && !group->taken) {
        message_append_for(text, group->loser_count, " also sets", " also set");
        append_keeping(text, review, group);
    } else if (loser == CLASS_APPLIER && taker == CLASS_APPLIER) {
        message_append_for(text, group->loser_count, " also sets; keep ", " also set; keep ");
        message_append_for(text, group->field_count, "it in only one manifest", "each in only one manifest");
    } else if (loser == CLASS_APPLIER && class_is_unattended(taker)) {
        message_append_for(
            text, group->loser_count, " also sets; let only one of them set ",
            " also set; let only one of them set ");
        message_append_for(text, group->field_count, "it", "each");
    } else if (loser == CLASS_APPLIER) {
        append_healing(text, review, group);
    } else {
        text_append_string(text, " wrote");
        if (loser == CLASS_UNKNOWN && class_applies(taker) && !group->taken)
            append_keeping(text, review, group);
    }
}

static struct slice describe(
    const struct review *review, const struct conflict_group *group, const struct manager *losers,
    size_t listed)
{
    struct text text = text_start(review->arena, 256);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, verb_of(review, group));
    if (group->at_least)
        message_append_fields_at_least(&text, group->fields, group->field_count);
    else
        message_append_fields(&text, group->fields, group->field_count);
    text_append_string(&text, ", which ");
    message_append_managers(&text, losers, listed, group->loser_count);
    append_what_follows(&text, review, group);
    return text_slice(&text);
}

/* A day, which is also the longest window of contested-field. */
#define REMEMBERED_SECONDS ((int64_t)24 * 3600)

static bool was_taken(
    const struct review *review, const struct verdict *verdict, const struct manager *loser,
    struct slice field)
{
    struct text text = text_start(review->arena, 256);
    takeover_append_object(&text, review);
    text_append(&text, takeover_field(field));
    struct slice key = text_slice(&text), taker = takeover_manager_key(loser, review->arena);
    return key.bytes && taker.bytes &&
        takeover_history_was_taken(verdict->takeover_history, key, taker, verdict->now, REMEMBERED_SECONDS);
}

/* This server has seen the loser take the fields: the tool that puts them back is in the right. */
static enum action action_of(
    const struct review *review, const struct verdict *verdict, const struct conflict_group *group)
{
    if (!group->heals || !verdict->takeover_history || group->field_count > FINDING_FIELDS_MAX)
        return group->action;
    for (size_t i = 0; i < group->field_count; i++) {
        if (!was_taken(review, verdict, &group->losers[0]->manager, group->fields[i]))
            return group->action;
    }
    return action_min(group->action, ACTION_AUDIT);
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
            .action = action_of(review, verdict, group),
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

static void report_overflow(const struct review *review, struct verdict *verdict, enum action action)
{
    struct text text = text_start(review->arena, 128);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, " changes or removes more fields of other managers than can be listed");
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
    if (conflicts->unread)
        verdict_add_unread_fields(verdict, conflicts->unread);
    if (conflicts->unresolved) {
        struct text text = text_start(review->arena, 96);
        text_append_number(&text, conflicts->unresolved);
        text_append_string(
            &text,
            conflicts->unresolved == 1 ? " field cannot be found in both the old and the new object"
                                       : " fields cannot be found in both the old and the new object");
        verdict_note_unjudged(verdict, text_slice(&text));
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
        if (conflicts.overflowed[action])
            report_overflow(review, verdict, (enum action)action);
    }
    report_unjudged(review, verdict, &conflicts);
}

const struct rule_definition rule_ownership_conflict = {
    .judge = judge,
    .settings = settings,
    .setting_count = COUNT(settings),
    .settings_size = sizeof(baseline_defaults),
    .defaults = {&baseline_defaults, &baseline_defaults, &strict_defaults},
};

#include "policy/verdict/verdict.h"

#include "base/text.h"
#include "policy/config/config.h"
#include "policy/config/rule_link.h"
#include "policy/review/review.h"
#include "policy/verdict/message.h"
#include "policy/verdict/overrides.h"
#include "policy/verdict/waivers.h"

/*
 * The settings of the overrides that match a review: later ones win over earlier ones, each for what it sets.
 */
struct overridden {
    enum mode mode;
    bool names_writer[RULE_COUNT]; /* the action is one that an override gives to this very writer */
};

static void apply_overrides(struct verdict *verdict, int64_t now, struct overridden *overridden)
{
    const struct policy *policy = verdict->policy;
    for (size_t i = 0; i < policy->override_count; i++) {
        const struct override *override = &policy->overrides[i];
        if (now >= override->expires_at || !override_matches(&override->match, verdict->review))
            continue;
        if (override->has_mode)
            overridden->mode = override->mode;
        for (int rule = 0; rule < RULE_COUNT; rule++) {
            if (!override->has_action[rule])
                continue;
            verdict->policy_actions[rule] = override->actions[rule];
            overridden->names_writer[rule] = override_names_writer(&override->match);
        }
    }
}

/*
 * Whether the writer is a program that cannot react to a denial: denied, a controller only tries again and
 * again. If the review does not show the writer, the user decides.
 */
static bool is_unattended(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    return writer->known ? class_is_unattended(writer->class) : review_is_of_service(review);
}

static bool compares_by_applying(enum tool tool)
{
    /* helm-controller, internal/action/diff.go; gitops-engine, pkg/diff/diff.go; fluxcd/pkg,
     * ssa/manager_diff.go */
    return tool == TOOL_HELM_CONTROLLER || tool == TOOL_ARGOCD || tool == TOOL_FLUX ||
        tool == TOOL_FLUX_OPERATOR;
}

/*
 * Whether a tool only compares what is with what it declares, by a dry run of an apply, and sends no other
 * dry runs. It repeats at each interval, its warnings have no reader, and a denial would only keep the tool
 * from comparing: it may hold fields that the tool is configured to ignore. Its next write is a request of
 * its own.
 */
static bool is_comparison(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    return review->dry_run && writer->known && compares_by_applying(manager_tool(writer->manager.name));
}

/*
 * Under the built-in profiles, automated writers are at most warned. Settings that an admin wrote explicitly
 * hold for them, too: a rule that no profile has or that records in all of them, an override that names the
 * writer, and the row of ownership-conflict's own table.
 */
static bool spares_unattended(enum rule_id rule)
{
    return rules[rule].actions[PROFILE_STRICT] > ACTION_AUDIT && rule != RULE_ownership_conflict;
}

static void lower_actions(struct verdict *verdict, const struct overridden *overridden)
{
    enum action most = verdict->review->deleting ? ACTION_AUDIT : action_ceiling(overridden->mode);
    bool compares = is_comparison(verdict->review);
    if (most == ACTION_DENY && !compares && !verdict->unattended)
        return;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        enum action action = action_min(verdict->policy_actions[rule], most);
        /* A writer that may not use the name of such a tool is another one, which may do more than compare.
         */
        if (compares && rule != RULE_manager_identity)
            action = action_min(action, ACTION_AUDIT);
        if (verdict->unattended && spares_unattended((enum rule_id)rule) && !overridden->names_writer[rule])
            action = action_min(action, ACTION_WARN);
        verdict->policy_actions[rule] = action;
    }
}

struct verdict *verdict_start(
    const struct policy *policy, const struct review *review, enum mode ceiling, int64_t now,
    struct arena *arena)
{
    struct verdict *verdict = arena_allocate(arena, sizeof(*verdict));
    if (!verdict)
        return NULL;
    verdict->policy = policy;
    verdict->review = verdict->decoded = review;
    verdict->now = now;
    verdict->takeover_history = NULL;
    waivers_allowed(policy, review, now, verdict->waivable);
    verdict->unattended = is_unattended(review);
    verdict->allowed = true;
    verdict->out_of_memory = false;
    memset(verdict->dropped, 0, sizeof(verdict->dropped));
    verdict->finding_count = 0;
    verdict->arena = arena;
    memcpy(verdict->policy_actions, policy->actions, sizeof(verdict->policy_actions));
    struct overridden overridden = {.mode = MODE_ENFORCE};
    apply_overrides(verdict, now, &overridden);
    verdict->mode = mode_min(mode_min(overridden.mode, policy->mode), ceiling);
    lower_actions(verdict, &overridden);
    return verdict;
}

/* Where the list is full, the last of the weakest gives way to a stronger one. The modes lower all alike, so
 * the policy's action decides. */
static struct finding *slot_for(struct verdict *verdict, enum action action, enum action policy_action)
{
    if (verdict->finding_count < VERDICT_FINDINGS_MAX)
        return &verdict->findings[verdict->finding_count++];
    struct finding *weakest = &verdict->findings[0];
    for (size_t i = 1; i < VERDICT_FINDINGS_MAX; i++) {
        if (verdict->findings[i].policy_action <= weakest->policy_action)
            weakest = &verdict->findings[i];
    }
    verdict->dropped[action_min(weakest->action, action)]++;
    return weakest->policy_action < policy_action ? weakest : NULL;
}

/*
 * The strongest action that the policy allows for a finding. A profile does not soften what the API server
 * refuses anyway; an action that the policy itself gives to the rule counts.
 */
static enum action limit_of(const struct verdict *verdict, const struct finding *finding)
{
    const enum rule_id rule = finding->rule;
    const enum action limit = verdict->policy_actions[rule], given = verdict->policy->actions[rule];
    bool is_of_profile = given == rules[rule].actions[verdict->policy->profile] && limit == given;
    return finding->is_refused && limit != ACTION_OFF && is_of_profile ? ACTION_DENY : limit;
}

enum action verdict_policy_action(
    const struct verdict *verdict, const struct finding *finding, struct slice *waived_by)
{
    enum action action = action_min(finding->action, limit_of(verdict, finding));
    *waived_by = (struct slice){NULL, 0};
    if (action > ACTION_AUDIT)
        *waived_by = waiver_for(verdict->policy, verdict->review, verdict->waivable, finding);
    return waived_by->length ? ACTION_AUDIT : action;
}

void verdict_add(struct verdict *verdict, const struct finding *finding)
{
    if (!finding->message.bytes || arena_has_failed(verdict->arena)) {
        verdict->out_of_memory = true;
        return;
    }
    struct slice waived_by;
    enum action policy_action = verdict_policy_action(verdict, finding, &waived_by);
    enum action action = action_min(policy_action, action_ceiling(verdict->mode));
    struct finding *slot = action == ACTION_OFF ? NULL : slot_for(verdict, action, policy_action);
    if (!slot)
        return;
    *slot = *finding;
    const struct message_parts words = {
        .sentence = finding->message, .command = finding->command, .is_whole = verdict->is_stored};
    slot->message = message_compose_within(
        verdict->review, finding->rule, &words, finding->related ? finding->message.length : 0);
    verdict->out_of_memory |= !slot->message.bytes;
    slot->action = action;
    slot->policy_action = policy_action;
    slot->waived_by = waived_by;
}

const struct finding *verdict_next(
    const struct verdict *verdict, enum rule_id rule, enum action action, const struct finding *last)
{
    const struct finding *end = verdict->findings + verdict->finding_count;
    for (const struct finding *next = last ? last + 1 : verdict->findings; next < end; next++) {
        if (next->rule == rule && next->policy_action >= action)
            return next;
    }
    return NULL;
}

static bool is_said(const struct verdict *verdict, struct slice sentence)
{
    struct slice message = message_compose(verdict->review, RULE_unjudged, sentence, SLICE(""));
    const struct finding *said = NULL;
    while ((said = verdict_next(verdict, RULE_unjudged, ACTION_OFF, said))) {
        if (slice_equal(said->message, message))
            return true;
    }
    return false;
}

static void add_unjudged(struct verdict *verdict, struct slice reason, enum action action)
{
    struct slice sentence = reason.bytes ? text_join(verdict->arena, "not fully checked: ", reason) : reason;
    if (sentence.bytes && is_said(verdict, sentence))
        return;
    verdict_add(verdict, &(struct finding){.rule = RULE_unjudged, .action = action, .message = sentence});
}

void verdict_add_unjudged(struct verdict *verdict, struct slice reason)
{
    add_unjudged(verdict, reason, ACTION_DENY);
}

void verdict_note_unjudged(struct verdict *verdict, struct slice reason)
{
    add_unjudged(verdict, reason, ACTION_AUDIT);
}

void verdict_add_undecided(struct verdict *verdict)
{
    verdict_note_unjudged(verdict, SLICE("several list items in the manifest may be the one that is meant"));
}

void verdict_add_unread_fields(struct verdict *verdict, enum fields_result result)
{
    if (result == FIELDS_OUT_OF_MEMORY) {
        verdict->out_of_memory = true;
        return;
    }
    verdict_add_unjudged(
        verdict,
        text_join(verdict->arena, "an entry of the object's managedFields ", fields_result_text(result)));
}

/*
 * The worst first; at the same action in order of the rules' table, and of finding. The policy's action
 * decides under every mode: what enforcing would deny is not cut off behind what it would not.
 */
static int compare_findings(const struct finding *x, const struct finding *y)
{
    if (x->policy_action != y->policy_action)
        return (int)y->policy_action - (int)x->policy_action;
    return (int)x->rule - (int)y->rule;
}

void verdict_keep_whole(struct verdict *verdict)
{
    size_t kept = 0;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        if (verdict->findings[i].message.bytes)
            verdict->findings[kept++] = verdict->findings[i];
    }
    verdict->finding_count = kept;
    verdict->out_of_memory = false;
}

void verdict_finish(struct verdict *verdict)
{
    /* Insertion keeps equal findings in order, and there is mostly one. */
    for (size_t i = 1; i < verdict->finding_count; i++) {
        for (size_t j = i; j > 0 && compare_findings(&verdict->findings[j - 1], &verdict->findings[j]) > 0;
             j--) {
            struct finding swapped = verdict->findings[j];
            verdict->findings[j] = verdict->findings[j - 1];
            verdict->findings[j - 1] = swapped;
        }
    }
    verdict->allowed = verdict_count(verdict, ACTION_DENY) == 0;
}

struct slice verdict_link(const struct verdict *verdict, enum rule_id rule)
{
    return rule_link(verdict->policy, rule, verdict->arena);
}

size_t verdict_count(const struct verdict *verdict, enum action action)
{
    size_t count = 0;
    for (size_t i = 0; i < verdict->finding_count; i++)
        count += verdict->findings[i].action == action;
    return count;
}

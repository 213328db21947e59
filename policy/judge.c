#include "policy/judge.h"

#include "base/array_size.h"
#include "base/min.h"
#include "policy/analysis/document.h"
#include "policy/analysis/stored_object.h"
#include "policy/config/config_load.h"
#include "policy/review/ownership_applier.h"
#include "policy/review/review_classify.h"
#include "policy/review/review_decode.h"
#include "policy/review/scale.h"
#include "policy/rules/definitions.h"

#include <stdio.h>

struct policy *policy_check(struct slice text, struct policy_problems *problems)
{
    return config_load(rule_definitions, text, problems);
}

struct policy *policy_load(struct slice text, struct error *error)
{
    struct policy_problem first = {0};
    struct policy_problems problems = {.items = &first, .capacity = 1, .least = POLICY_BROKEN};
    struct policy *policy = policy_check(text, &problems);
    if (!policy && error)
        *error = first.error;
    return policy;
}

struct policy *policy_of_profile(enum profile profile)
{
    char text[128];
    int length = snprintf(
        text, sizeof(text), "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: %s\n",
        profile_name(profile));
    return policy_load((struct slice){text, (size_t)length}, NULL);
}

struct policy *policy_default(void)
{
    return config_default(rule_definitions);
}

/* Whether memory ran out: what is known then is not whole, and the verdict will not be used. */
static bool must_stop(const struct verdict *verdict)
{
    return verdict->out_of_memory || arena_has_failed(verdict->arena);
}

/* A request that scales an object did not cause the object's other problems. */
static void apply_rules_of_scales(const struct review *review, struct verdict *verdict)
{
    static const enum rule_id asked[] = {
        RULE_ownership_conflict, RULE_last_applied_drift, RULE_contested_field};
    for (size_t i = 0; i < ARRAY_SIZE(asked) && !must_stop(verdict); i++)
        if (verdict->policy_actions[asked[i]] != ACTION_OFF)
            rule_definitions[asked[i]]->judge(review, verdict);
}

/* The rules that judge a write to the subresource status, which may carry metadata too. */
static const bool judges_metadata[RULE_COUNT] = {
    [RULE_ownership_conflict] = true,
    [RULE_oversized_annotations] = true,
    [RULE_last_applied_missing] = true,
    [RULE_last_applied_invalid] = true,
    [RULE_last_applied_drift] = true,
    [RULE_last_applied_secret] = true,
    [RULE_last_applied_runtime_fields] = true,
    [RULE_manager_identity] = true,
    [RULE_manager_scope] = true,
    [RULE_applyset] = true,
    [RULE_waiver] = true,
    [RULE_unjudged] = true,
};

/*
 * The rule `unjudged` speaks even where the others have nothing to judge, but not of each status that a
 * controller writes.
 */
static void apply_rules(const struct review *review, const struct document *document, struct verdict *verdict)
{
    bool judged = review_is_judged(review), judged_for_metadata = review_is_judged_for_metadata(review);
    for (int rule = 0; rule < RULE_COUNT && !must_stop(verdict); rule++) {
        const struct rule_definition *definition = rule_definitions[rule];
        bool is_asked = judged || (judged_for_metadata && judges_metadata[rule]) ||
            (rule == RULE_unjudged && !review_is_of_status(review));
        if (!is_asked || verdict->policy_actions[rule] == ACTION_OFF)
            continue;
        if (definition->judge)
            definition->judge(review, verdict);
        if (definition->judge_document && document)
            definition->judge_document(review, document, verdict);
    }
}

static void apply_rules_at_rest(
    const struct review *review, const struct stored_object *stored, struct verdict *verdict)
{
    for (int rule = 0; rule < RULE_COUNT && !must_stop(verdict); rule++) {
        const struct rule_definition *definition = rule_definitions[rule];
        if (verdict->policy_actions[rule] == ACTION_OFF)
            continue;
        if (definition->judge_object)
            definition->judge_object(review, stored, verdict);
        else if (definition->judges_objects)
            definition->judge(review, verdict);
    }
}

/*
 * Reading the body takes less than this by itself, so it needs no bound. The caller may have used the arena
 * before, for `used` bytes.
 */
static void bound_memory(struct arena *arena, size_t bytes, size_t used)
{
    size_t limit = arena_limit_of(arena), most = 0;
    if (__builtin_mul_overflow(bytes, JUDGE_BYTES_PER_BYTE, &most) ||
        __builtin_add_overflow(most, ARENA_KEEP_BYTES, &most) || __builtin_add_overflow(most, used, &most))
        most = SIZE_MAX;
    arena_bound(arena, min_u64(most, limit > JUDGE_ANSWER_BYTES ? limit - JUDGE_ANSWER_BYTES : 0));
}

/*
 * The findings that were made before the bound was passed stay. False: not even the memory for that remains.
 */
static bool give_up_if_bound(const struct review *review, struct verdict *verdict)
{
    if (!must_stop(verdict))
        return true;
    if (!arena_forgive(verdict->arena))
        return false;
    effort_give_up(lookup_effort(review->lookup), EFFORT_MEMORY);
    verdict_keep_whole(verdict);
    return true;
}

/* Whichever rule asked for it: an unknown answer is not a finding of a rule. */
static void say_what_was_given_up(const struct review *review, struct verdict *verdict)
{
    const struct effort *effort = lookup_effort(review->lookup);
    for (int kind = 0; kind < EFFORT_KIND_COUNT; kind++) {
        if (effort->exceeded[kind])
            verdict_add_unjudged(verdict, slice_of(effort_sentence((enum effort_kind)kind)));
    }
}

/* Returns the review of the scaled object, if the request is to scale and the object is given. */
static struct review *with_scaled(
    const struct policy *policy, struct review *review, const struct judge_options *options)
{
    struct review *scaled =
        options->scaled.length ? scale_review(review, options->scaled, &policy->managers) : NULL;
    return scaled ? scaled : review;
}

static void apply(const struct review *review, const struct judge_options *options, struct verdict *verdict)
{
    verdict->takeover_history = options->takeover_history;
    if (options->stored)
        apply_rules_at_rest(review, options->stored, verdict);
    else if (review->is_scaled)
        apply_rules_of_scales(review, verdict);
    else
        apply_rules(review, options->document, verdict);
    if (!give_up_if_bound(review, verdict))
        return;
    arena_bound(verdict->arena, SIZE_MAX);
    say_what_was_given_up(review, verdict);
    verdict_finish(verdict);
}

enum judge_result judge_decode(
    struct slice body, const struct judge_options *options, struct arena *arena, const struct review **review,
    struct error *error)
{
    yyjson_read_flag flags = options->in_place ? YYJSON_READ_INSITU : YYJSON_READ_NOFLAG;
    switch (review_decode(body, flags, arena, review, error)) {
    case REVIEW_OK:
        return JUDGE_OK;
    case REVIEW_UNREADABLE:
        return JUDGE_UNREADABLE;
    case REVIEW_OUT_OF_MEMORY:
        break;
    }
    return JUDGE_OUT_OF_MEMORY;
}

/* `used` bytes of the arena were allocated before the review was decoded. */
static enum judge_result judge_decoded(
    const struct policy *policy, const struct review *decoded, const struct judge_options *options,
    size_t used, const struct verdict **result, struct error *error)
{
    struct arena *arena = decoded->arena;
    struct verdict *verdict = NULL;
    struct review *review = review_classify(decoded, &policy->managers);
    if (review) {
        review->declared_by_other_sources = options->document && options->document->others.is_shared;
        review->kustomize_adds_labels = options->document && options->document->kustomize_adds_labels;
        review->is_of_manifest = options->document;
        if (options->stored)
            ownership_set_applier(&review->ownership);
        bound_memory(arena, decoded->bytes + options->scaled.length, used);
        review = with_scaled(policy, review, options);
        if (arena_forgive(arena))
            effort_give_up(lookup_effort(review->lookup), EFFORT_MEMORY);
        verdict = verdict_start(policy, review, options->ceiling, options->now, arena);
    }
    if (verdict) {
        verdict->decoded = decoded;
        verdict->is_stored = options->stored;
        apply(review, options, verdict);
    }
    if (!verdict || must_stop(verdict)) {
        error_set_out_of_memory(error);
        return JUDGE_OUT_OF_MEMORY;
    }
    *result = verdict;
    return JUDGE_OK;
}

enum judge_result judge_review(
    const struct policy *policy, const struct review *review, const struct judge_options *options,
    const struct verdict **verdict, struct error *error)
{
    return judge_decoded(policy, review, options, arena_used(review->arena), verdict, error);
}

void judge_remember(const struct verdict *verdict)
{
    const struct review *review = verdict->review;
    if (!verdict->takeover_history || !verdict->allowed || review->dry_run || !review_is_judged(review))
        return;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        const struct rule_definition *definition = rule_definitions[rule];
        if (definition->remember && verdict->policy_actions[rule] != ACTION_OFF)
            definition->remember(review, verdict);
    }
}

enum judge_result judge(
    const struct policy *policy, struct slice body, const struct judge_options *options, struct arena *arena,
    const struct verdict **verdict, struct error *error)
{
    const struct review *review = NULL;
    size_t used = arena_used(arena);
    enum judge_result result = judge_decode(body, options, arena, &review, error);
    if (result == JUDGE_OK)
        result = judge_decoded(policy, review, options, used, verdict, error);
    if (result == JUDGE_OK)
        judge_remember(*verdict);
    return result;
}

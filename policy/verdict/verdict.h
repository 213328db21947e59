/*
 * verdict.h: what the rules found, and what comes of it.
 *
 * Rules add findings; the verdict settles each one's action: what the rule asks, at most what the policy and
 * its overrides say, at most warn where nobody attends who could mend it, at most audit where a waiver covers
 * it or the object is being deleted. That is the policy's action; the modes of the policy and of the path
 * lower it to what comes of it now, all findings of a verdict alike. After judging, the findings stand in
 * order, those with the strongest policy's action first.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_VERDICT_H
#define APPLYGUARD_POLICY_VERDICT_VERDICT_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/action.h"
#include "policy/fieldset/fields.h"
#include "policy/verdict/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Findings that one verdict lists: no object that people keep comes near it. The rest are counted. */
#define VERDICT_FINDINGS_MAX 64

struct takeover_history;
struct policy;
struct review;

struct verdict {
    const struct policy *policy;
    const struct review *review;
    int64_t now;
    struct takeover_history *takeover_history; /* see judge_options */
    enum mode mode;                            /* the lowest of the ceilings in force */
    enum action policy_actions[RULE_COUNT];    /* what each rule may do here, whatever the mode */
    bool unattended; /* nobody reads a warning: a controller writes, which denied would only try again */
    bool allowed;
    bool out_of_memory;           /* something could not be said: the verdict must not be used */
    size_t dropped[ACTION_COUNT]; /* findings beyond VERDICT_FINDINGS_MAX, the weakest, by action */
    size_t finding_count;
    struct finding findings[VERDICT_FINDINGS_MAX];
    struct arena *arena;
};

/*
 * A verdict without findings, with the actions and the mode in force for the review at the time `now`
 * (seconds since 1970 UTC) under the path's ceiling. NULL if there is no memory.
 */
struct verdict *verdict_start(
    const struct policy *policy, const struct review *review, enum mode ceiling, int64_t now,
    struct arena *arena);

/*
 * Adds a finding whose `action` is what the rule asks for; it is lowered to what is in force, and dropped if
 * that is off. Its `message` is a sentence about the object, without its name: that is put in front here.
 * Everything the finding points to must live as long as the review.
 */
void verdict_add(struct verdict *verdict, const struct finding *finding);

/*
 * Adds a finding of the rule `unjudged`. `reason` is a clause that says which part could not be judged, and
 * why. Given by several rules, it is one finding.
 */
void verdict_add_unjudged(struct verdict *verdict, struct slice reason);

/* The same of declared list items that cannot be told apart, so that nobody knows what is declared of one. */
void verdict_add_undecided(struct verdict *verdict);

/* The same of an entry of the object's managedFields whose fields could not be walked to the end. */
void verdict_add_unread_fields(struct verdict *verdict, enum fields_result result);

/*
 * The finding after `last` (NULL: the first) by which a rule says as much as `action`, or more; NULL: there
 * is none. So a rule does not say again what another one has said.
 */
const struct finding *verdict_next(
    const struct verdict *verdict, enum rule_id rule, enum action action, const struct finding *last);

/* Puts the findings in order and settles `allowed`. */
void verdict_finish(struct verdict *verdict);

/* How many findings have exactly this action. */
size_t verdict_count(const struct verdict *verdict, enum action action);

#endif

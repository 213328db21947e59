/*
 * verdict.h: the findings of a review, and the resulting decision.
 *
 * Rules add findings, and the verdict sets each one's action. The policy's action is the one that the rule
 * requests, limited by the policy and its overrides, by warn if the writer is automated, and by audit if a
 * waiver covers it or the object is being deleted. The modes of the policy and of the path then limit the
 * policy's actions of all findings alike: the result is the action in force. After judging, findings are
 * sorted by the policy's action, the strongest first.
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

/*
 * The limit of findings that a verdict lists, far above what real objects cause. Further ones are only
 * counted.
 */
#define VERDICT_FINDINGS_MAX 64

struct takeover_history;
struct policy;
struct review;

struct verdict {
    const struct policy *policy;
    const struct review *review;
    const struct review
        *decoded; /* as it was before this policy classified it: judge_review takes it again */
    int64_t now;
    struct takeover_history *takeover_history; /* see judge_options */
    enum mode mode;                            /* the lowest of the ceilings in force */
    enum action
        policy_actions[RULE_COUNT]; /* the limit of each rule's action for this review, without the mode */
    bool waivable[RULE_COUNT];      /* the annotation applyguard.io/waive may lower these on this object */
    bool unattended; /* a warning has no reader: a controller writes, and would only retry if denied */
    bool is_stored;  /* of an object at rest: its messages are read in a report, and not in a warning */
    bool allowed;
    bool out_of_memory;           /* the verdict is incomplete and must not be used */
    size_t dropped[ACTION_COUNT]; /* by action, the findings beyond VERDICT_FINDINGS_MAX: the weakest */
    size_t finding_count;
    struct finding findings[VERDICT_FINDINGS_MAX];
    struct arena *arena;
};

/*
 * A verdict without findings, with the actions and the mode in force for the review at the time `now`
 * (seconds since 1970 UTC) under the path's ceiling. Returns NULL if memory runs out.
 */
struct verdict *verdict_start(
    const struct policy *policy, const struct review *review, enum mode ceiling, int64_t now,
    struct arena *arena);

/*
 * The action that the policy alone gives to a finding, before it is added: it needs no message yet.
 * `*waived_by` is the annotation that lowers it to audit, or empty.
 */
enum action verdict_policy_action(
    const struct verdict *verdict, const struct finding *finding, struct slice *waived_by);

/*
 * Adds a finding with the `action` that the rule requests. Lowers it to the action in force, and drops the
 * finding if that is off. Its `message` is a sentence without the object's name, which is added in front.
 * Everything that the finding points to must live as long as the review.
 */
void verdict_add(struct verdict *verdict, const struct finding *finding);

/*
 * Adds a finding of the rule `unjudged`. `reason` is a clause that says which part could not be judged, and
 * why. If several rules give the same reason, there is one finding.
 */
void verdict_add_unjudged(struct verdict *verdict, struct slice reason);

/* The same for a reason that honest requests have, too: it is audited at most, under any policy. */
void verdict_note_unjudged(struct verdict *verdict, struct slice reason);

/*
 * The latter for declared list items that cannot be distinguished, so that it is unknown what one of them
 * declares.
 */
void verdict_add_undecided(struct verdict *verdict);

/* The same for a managedFields entry whose fields could not be walked to the end. */
void verdict_add_unread_fields(struct verdict *verdict, enum fields_result result);

/*
 * The next finding of `rule` after `last` (NULL: the first) whose action is at least `action`; NULL if
 * it does not exist. With it a rule avoids repeating what another rule reports.
 */
const struct finding *verdict_next(
    const struct verdict *verdict, enum rule_id rule, enum action action, const struct finding *last);

/*
 * For a verdict that ran out of memory, and that goes on without what was under way then: only the findings
 * that were whole by then remain.
 */
void verdict_keep_whole(struct verdict *verdict);

/* Sorts the findings and sets `allowed`. */
void verdict_finish(struct verdict *verdict);

/* The address of the rule's page (rule_link.h); empty: the policy gives none. */
struct slice verdict_link(const struct verdict *verdict, enum rule_id rule);

/* How many findings have exactly this action. */
size_t verdict_count(const struct verdict *verdict, enum action action);

#endif

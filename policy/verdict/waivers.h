/*
 * waivers.h: annotations on an object that lower findings about it to audit.
 *
 * applyguard.io/waive names rules; tool_annotations.h handles the annotations of other tools. The policy
 * lists which rules may be waived, and which tools are honoured. A waiver hides nothing: the finding remains
 * and names the waiver.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_WAIVERS_H
#define APPLYGUARD_POLICY_VERDICT_WAIVERS_H

#include "base/slice.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/verdict/finding.h"

#include <stdbool.h>
#include <stdint.h>

#define WAIVE_ANNOTATION "applyguard.io/waive"

/* Removes the next name from a comma-separated list, `*rest`, and returns it without spaces around it. */
struct slice waiver_take_name(struct slice *rest);

/*
 * Whether applyguard.io/waive counts for a request that adds it. An applier may have it in the manifest: its
 * own entry then owns the annotation. For any other request only an annotation that was already on the object
 * counts, or people could excuse each edit in the edit itself.
 */
bool waiver_stands(const struct review *review);

/* Which rules the policy lets applyguard.io/waive lower on the review's object at that time. */
void waivers_allowed(
    const struct policy *policy, const struct review *review, int64_t now, bool allowed[RULE_COUNT]);

/* The last day of a scoped waiver of the rule that matches the object and has expired; empty: absent.
 */
struct slice waiver_expired(
    const struct policy *policy, const struct review *review, int64_t now, enum rule_id rule);

/*
 * The key of the annotation that lowers the finding to audit; empty: none does. `allowed` is the result of
 * waivers_allowed.
 */
struct slice waiver_for(
    const struct policy *policy, const struct review *review, const bool allowed[RULE_COUNT],
    const struct finding *finding);

#endif

/*
 * waivers.h: annotations on an object that lower findings about it to audit.
 *
 * Our own, applyguard.io/waive, names rules; those of other tools are tool_annotations.h. The policy says
 * which rules may be waived, and which tools are honoured. A waiver hides nothing: the finding stays, and
 * names it.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_WAIVERS_H
#define APPLYGUARD_POLICY_VERDICT_WAIVERS_H

#include "base/slice.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/verdict/finding.h"

#include <stdbool.h>

#define WAIVE_ANNOTATION "applyguard.io/waive"

/* Takes the next name from a waiver's list, `*rest`: what stands between commas, without blanks. */
struct slice waiver_take_name(struct slice *rest);

/*
 * Whether applyguard.io/waive, where this request adds it, counts for this very request. Whoever applies an
 * object may have it in the manifest; anybody else's request is judged by what stood on the object before, or
 * a person could excuse each edit in the edit itself.
 */
bool waiver_stands(const struct review *review);

/* Whether the annotation applyguard.io/waive waives the rule for this request. */
bool waiver_names_rule(const struct review *review, enum rule_id rule);

/* The key of the annotation that lowers the finding to audit; empty: none does. */
struct slice waiver_for(
    const struct policy *policy, const struct review *review, const struct finding *finding);

#endif

/*
 * conflict_words.h: the sentence about a conflict: who takes what from whom, what happens next, what to do.
 *
 * The advice depends on the writer, the owner and the field. It uses the means of the tool that is to change.
 * To a denied request it names no means by which the tool would keep the change: it would be denied again.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_CONFLICT_WORDS_H
#define APPLYGUARD_POLICY_ANALYSIS_CONFLICT_WORDS_H

#include "policy/analysis/conflicts.h"

/*
 * The sentence for the finding about `group`. `previous_owners` are the managers of the first `listed` ones.
 * `is_denied`: by the policy, in any of its modes.
 */
struct slice conflict_words(
    const struct review *review, const struct conflict_group *group, const struct manager *previous_owners,
    size_t listed, bool is_denied);

#endif

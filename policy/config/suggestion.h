/*
 * suggestion.h: the parts of a policy file to start with, which commands suggest from what they have seen.
 */
#ifndef APPLYGUARD_POLICY_CONFIG_SUGGESTION_H
#define APPLYGUARD_POLICY_CONFIG_SUGGESTION_H

#include "base/text.h"
#include "policy/config/config.h"

/* The profiles that deny, the stronger one first; behind them the one that does not. */
#define SUGGESTION_PROFILES 2
extern const enum profile suggestion_profiles[SUGGESTION_PROFILES + 1];

/* The first lines of the file. */
void suggestion_append_head(struct text *text, enum profile profile);

/* A word between quotes, as YAML takes it. */
void suggestion_append_quoted(struct text *text, struct slice word);

/*
 * A line that classes a manager of Updates, up to the comment that the caller ends with the evidence. It is a
 * comment itself: a class changes verdicts, so a person decides.
 */
void suggestion_append_manager(struct text *text, struct slice name, enum manager_class class);

#endif

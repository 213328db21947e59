/*
 * encode_finding.h: one finding as JSON, the same in a report and in an audit annotation.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_ENCODE_FINDING_H
#define APPLYGUARD_POLICY_VERDICT_ENCODE_FINDING_H

#include "base/text.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>

/*
 * Appends
 * {"rule":…,"action":…,"message":…,"fields":[…],"fieldCount":…,"taker":{…},"losers":[…],"loserCount":…}; the
 * message only `with_message`, the rest where it applies, the counts where not all are listed.
 */
void encode_finding(struct text *text, const struct finding *finding, bool with_message);

/* Appends "name": with its quotes and colon; names are ours and need no escaping. */
void encode_key(struct text *text, const char *name);

#endif

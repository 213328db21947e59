/*
 * encode_finding.h: encodes one finding as JSON, in the same form for reports and audit annotations.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_ENCODE_FINDING_H
#define APPLYGUARD_POLICY_VERDICT_ENCODE_FINDING_H

#include "base/text.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>

/*
 * Appends
 * {"rule":…,"action":…,"message":…,"fields":[…],"fieldCount":…,"taker":{…},"losers":[…],"loserCount":…}; the
 * message only `with_message`, other members only if they apply, and the counts only if not all are listed.
 */
void encode_finding(struct text *text, const struct finding *finding, bool with_message);

#endif

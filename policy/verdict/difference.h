/* difference.h: how the verdict of another policy on the same request differs from that of the policy in
 * force. */
#ifndef APPLYGUARD_POLICY_VERDICT_DIFFERENCE_H
#define APPLYGUARD_POLICY_VERDICT_DIFFERENCE_H

#include "policy/verdict/verdict.h"

/* The first that applies. Compares the actions that each policy alone would take, in any mode. */
enum verdict_difference {
    DIFFERENCE_NONE,
    DIFFERENCE_NEWLY_DENIED,
    DIFFERENCE_NO_LONGER_DENIED,
    DIFFERENCE_NEWLY_WARNED,
    DIFFERENCE_NO_LONGER_WARNED,
    DIFFERENCE_OTHER_FINDINGS, /* the answer is as strict, for other reasons; or only audited findings differ
                                */
};

#define DIFFERENCE_COUNT (DIFFERENCE_OTHER_FINDINGS + 1)

/* The strongest action that the verdict's policy alone would take; ACTION_OFF: there are no findings. */
enum action verdict_strongest(const struct verdict *verdict);

/* Compares the strongest actions alone: DIFFERENCE_NONE also if only audited findings differ. */
enum verdict_difference action_difference(enum action now, enum action then);

enum verdict_difference verdict_compare(const struct verdict *verdict, const struct verdict *other);

/* "same", "newly-denied", "no-longer-denied", "newly-warned", "no-longer-warned", "other-findings" */
const char *verdict_difference_name(enum verdict_difference difference);

#endif

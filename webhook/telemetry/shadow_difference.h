/*
 * shadow_difference.h: how the verdict of the shadow policy differs from that of the policy in force.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_SHADOW_DIFFERENCE_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_SHADOW_DIFFERENCE_H

#include "policy/verdict/verdict.h"

/* The first that applies. Compares the actions that each policy alone would take, in any mode. */
enum shadow_difference {
    SHADOW_SAME,
    SHADOW_NEWLY_DENIED,
    SHADOW_NO_LONGER_DENIED,
    SHADOW_NEWLY_WARNED,
    SHADOW_NO_LONGER_WARNED,
    SHADOW_OTHER_FINDINGS, /* the answer is as strict, for other reasons; or only audited findings differ */
};

#define SHADOW_DIFFERENCE_COUNT (SHADOW_OTHER_FINDINGS + 1)

/* The strongest action that the verdict's policy alone would take; ACTION_OFF: there are no findings. */
enum action shadow_action(const struct verdict *verdict);

enum shadow_difference shadow_compare(const struct verdict *verdict, const struct verdict *shadow);

/* "same", "newly-denied", "no-longer-denied", "newly-warned", "no-longer-warned", "other-findings" */
const char *shadow_difference_name(enum shadow_difference difference);

#endif

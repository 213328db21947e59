/*
 * emptied_configuration.h: a last-applied configuration that no longer declares a part of the object.
 *
 * Whoever applies client-side deletes from the object what leaves the configuration. If a part that was
 * declared is missing from the new configuration and still in the object, nobody has applied it, and the next
 * apply will not delete it either.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_EMPTIED_CONFIGURATION_H
#define APPLYGUARD_POLICY_ANALYSIS_EMPTIED_CONFIGURATION_H

#include "policy/review/review.h"

#include <stdbool.h>

/* PARTS_WHOLE: parts of the object such as spec and data; PARTS_ALL: also maps and lists within these. */
enum configuration_parts { PARTS_WHOLE, PARTS_ALL };

/*
 * Whether the annotation that the request wrote lacks a map or list that the one before declared, or has it
 * empty, and the object still has what was declared there. Values that may be defaults do not count.
 */
bool configuration_is_emptied(const struct review *review, enum configuration_parts parts);

#endif

/*
 * emptied_configuration.h: a last-applied configuration that no longer declares a part of the object.
 *
 * A client-side apply deletes from the object each field that leaves the configuration. If a declared part is
 * missing from the new configuration and still in the object, that configuration was not applied, and the
 * next apply does not delete the part either.
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

/*
 * restarts.h: the annotation by which kubectl rollout restart restarts pods.
 *
 * It is the time of one restart. A manifest that has it freezes that time, and deleting it restarts the pods
 * once more: so no message advises either.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_RESTARTS_H
#define APPLYGUARD_POLICY_ANALYSIS_RESTARTS_H

#include "policy/fieldset/path.h"

#include <stdbool.h>

/* Whether the field is restartedAt of a pod template. */
bool field_is_restart(const struct path *path);

#endif

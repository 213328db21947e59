/*
 * run_names.h: field managers that a pipeline names after its runs.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_RUN_NAMES_H
#define APPLYGUARD_POLICY_ANALYSIS_RUN_NAMES_H

#include "base/slice.h"

#include <stdbool.h>

/*
 * Whether the names differ only in numbers and hashes that stand alone, as ci-41 and ci-42 do, and app-0a41f
 * and app-77bd0; team1 and team2 do not.
 */
bool run_names_are_of_one(struct slice a, struct slice b);

#endif

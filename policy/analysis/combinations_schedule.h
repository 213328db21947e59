/*
 * combinations_schedule.h: when a CronJob runs (kubernetes, pkg/apis/batch/validation; robfig/cron,
 * ParseStandard). Private to combinations.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_SCHEDULE_H
#define APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_SCHEDULE_H

#include "base/slice.h"

#include <stdbool.h>

/* Whether the API server takes the schedule of a new CronJob. */
bool schedule_is_valid(struct slice schedule);

/* Whether a time zone may have this name. Those that exist depend on the API server's machine. */
bool time_zone_may_be(struct slice name);

#endif

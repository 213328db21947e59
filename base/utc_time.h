/*
 * utc_time.h: times in RFC 3339, in UTC, as seconds.
 */
#ifndef APPLYGUARD_BASE_UTC_TIME_H
#define APPLYGUARD_BASE_UTC_TIME_H

#include "base/slice.h"

#include <stdint.h>

/* Seconds since 1970 of a time such as 2026-11-27T00:12:14.827905Z. 0: the text is not such a time. */
int64_t utc_time_seconds(struct slice time);

#endif

/*
 * durations.h: 90s, 10m, 2h: spans of time as the policy file writes them and messages say them.
 */
#ifndef APPLYGUARD_BASE_DURATIONS_H
#define APPLYGUARD_BASE_DURATIONS_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* A whole number and one of s, m and h; false for anything else, and where it would overflow. */
bool seconds_parse(struct slice text, size_t *seconds);

/* In the largest unit that divides it. */
void seconds_append(struct text *text, size_t seconds);

#endif

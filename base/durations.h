/*
 * durations.h: durations such as 90s, 10m and 2h, as policy files and messages write them.
 */
#ifndef APPLYGUARD_BASE_DURATIONS_H
#define APPLYGUARD_BASE_DURATIONS_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a whole number followed by s, m or h. False for anything else, and on overflow. */
bool seconds_parse(struct slice text, size_t *seconds);

/* Appends it in the largest unit that divides it. */
void seconds_append(struct text *text, size_t seconds);

#endif

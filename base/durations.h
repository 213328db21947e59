/*
 * durations.h: durations such as 90s, 10m and 2h, as flags, policy files and messages write them.
 */
#ifndef APPLYGUARD_BASE_DURATIONS_H
#define APPLYGUARD_BASE_DURATIONS_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest duration that a flag takes. */
#define DURATION_LIMIT_MS (24u * 60 * 60 * 1000)

/*
 * Parses a duration as Go's flags write it: "10s", "500ms", "1m30s", "1.5h", "0". Returns NULL, or a sentence
 * without a full stop that says what is wrong with it.
 */
const char *duration_parse(const char *text, uint32_t *milliseconds);

/* The same, of any length. */
const char *duration_parse_long(const char *text, double *milliseconds);

/* Parses a whole number followed by s, m or h. False for anything else, and on overflow. */
bool duration_parse_seconds(struct slice text, size_t *seconds);

/* Appends it in the largest unit that divides it. */
void duration_append_seconds(struct text *text, size_t seconds);

#endif

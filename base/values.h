/*
 * values.h: durations, numbers and sizes, as flags take them.
 */
#ifndef APPLYGUARD_BASE_VALUES_H
#define APPLYGUARD_BASE_VALUES_H

#include <stdint.h>

/* The longest duration that a flag takes. */
#define DURATION_LIMIT_MS (24u * 60 * 60 * 1000)

/*
 * Parses a duration as Go's flags write it: "10s", "500ms", "1m30s", "1.5h", "0". Returns NULL, or a sentence
 * without a full stop that says what is wrong with it.
 */
const char *duration_parse(const char *text, uint32_t *milliseconds);

/* The same, of any length. */
const char *milliseconds_parse(const char *text, double *milliseconds);

/* Parses a number of bytes as Kubernetes writes it: "268435456", "256Mi", "1G". Returns as above. */
const char *bytes_parse(const char *text, uint64_t least, uint64_t most, uint64_t *bytes);

/* Parses a whole number between `least` and `most`. Returns as above. */
const char *number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number);

#endif

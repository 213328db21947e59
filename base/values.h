/*
 * values.h: numbers and sizes, as flags take them.
 */
#ifndef APPLYGUARD_BASE_VALUES_H
#define APPLYGUARD_BASE_VALUES_H

#include <stdint.h>

/* Parses a number of bytes as Kubernetes writes it: "268435456", "256Mi", "1G". Returns NULL, or a sentence
 * without a full stop that says what is wrong with it. */
const char *bytes_parse(const char *text, uint64_t least, uint64_t most, uint64_t *bytes);

/* Parses a whole number between `least` and `most`. Returns as above. */
const char *number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number);

#endif

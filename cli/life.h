/*
 * life.h: how long a certificate is to live, as flags have it.
 */
#ifndef APPLYGUARD_CLI_LIFE_H
#define APPLYGUARD_CLI_LIFE_H

#include <stdint.h>

/* Parses a duration in whole seconds, one at least. Returns as duration_parse. */
const char *life_parse(const char *text, int64_t *seconds);

#endif

/*
 * age.h: how long ago something was, as kubectl prints it (apimachinery, duration.HumanDuration).
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_AGE_H
#define APPLYGUARD_COMMANDS_BLAME_AGE_H

#include "base/text.h"

#include <stdint.h>

/* Appends the age of a time in the form of managedFields, RFC 3339 in UTC; "-" for any other text. */
void age_append(struct text *text, struct slice time, int64_t now);

#endif

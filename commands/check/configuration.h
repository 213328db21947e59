/*
 * configuration.h: what looks like an object, and no API server ever gets: configuration that a program reads
 * from a file.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_CONFIGURATION_H
#define APPLYGUARD_COMMANDS_CHECK_CONFIGURATION_H

#include "base/slice.h"

#include <stdbool.h>

/* Whether kind and apiVersion are those of a program's configuration. What is unknown is an object. */
bool is_configuration(struct slice api_version, struct slice kind);

#endif

/*
 * configuration.h: what looks like an object, and no API server ever gets: configuration that a program reads
 * from a file.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_CONFIGURATION_H
#define APPLYGUARD_COMMANDS_CHECK_CONFIGURATION_H

#include "manifest/manifest.h"

#include <stdbool.h>

/*
 * Whether kind and apiVersion are those of a program's configuration, or the object is of a group that
 * Kubernetes does not have and lacks metadata, without which no API server takes it.
 */
bool is_configuration(const struct manifest_object *object);

#endif

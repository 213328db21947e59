/*
 * configuration.h: objects by their form that API servers never get: configuration that programs read from
 * files.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_CONFIGURATION_H
#define APPLYGUARD_COMMANDS_CHECK_CONFIGURATION_H

#include "manifest/manifest.h"

#include <stdbool.h>

/*
 * Whether kind and apiVersion belong to a program's configuration, annotations make it one of kustomize's, or
 * the object has a group that Kubernetes lacks and has no metadata, without which API servers refuse it.
 */
bool is_configuration(const struct manifest_object *object);

#endif

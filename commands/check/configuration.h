/*
 * configuration.h: objects by their form that nothing applies: configuration that programs read from files,
 * and what they exchange with the API server.
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

/* Whether it is a question or an answer of the API server, such as a Status, which no cluster stores. */
bool is_message(const struct manifest_object *object);

#endif

/* kustomize_patches.h: what the patches of a kustomization remove. */
#ifndef APPLYGUARD_COMMANDS_CHECK_KUSTOMIZE_PATCHES_H
#define APPLYGUARD_COMMANDS_CHECK_KUSTOMIZE_PATCHES_H

#include "base/yaml.h"

#include <stdbool.h>

/*
 * Whether a patch of the kustomization removes .spec.replicas of any object. `root` is its file in `folder`.
 * Reads the files of the patches; one that cannot be read removes nothing.
 */
bool patches_remove_replicas(const struct yaml_node *root, struct slice folder, struct arena *arena);

#endif

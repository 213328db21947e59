/* operand.h: KIND/NAME, for objects in files. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_OPERAND_H
#define APPLYGUARD_COMMANDS_PREVIEW_OPERAND_H

#include "base/slice.h"

#include <stdbool.h>

/* The part behind the slash. */
struct slice preview_operand_name(const char *operand);

/*
 * Whether KIND/NAME means an object of this apiVersion, kind and name: its kind in any case, its plural, or
 * kubectl's short name of a built-in kind, each alone or with the group (deploy.apps, deployments.v1.apps).
 * No cluster is asked, so short names of custom resources are unknown.
 */
bool preview_operand_is(const char *operand, struct slice api_version, struct slice kind, struct slice name);

#endif

/*
 * defaults.h: values that the API server fills in where a manifest leaves a field out.
 *
 * Whoever creates an object by a plain write owns these as well, so that owning one is no sign of having
 * declared it.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_DEFAULTS_H
#define APPLYGUARD_POLICY_ANALYSIS_DEFAULTS_H

#include "policy/fieldset/path.h"

#include <stdbool.h>
#include <yyjson.h>

/*
 * Whether the value may be a default of the field. Told by the field's name and value alone, of the built-in
 * kinds (kubernetes, pkg/apis, defaults.go): where it is, nothing is known; where it is not, somebody has
 * set the value.
 */
bool value_may_be_default(const struct path *path, yyjson_val *value);

#endif

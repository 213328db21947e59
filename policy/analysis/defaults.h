/*
 * defaults.h: values that the API server fills in for fields that a manifest omits.
 *
 * A manager that creates an object without apply owns these as well, so ownership does not prove that it
 * declared them.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_DEFAULTS_H
#define APPLYGUARD_POLICY_ANALYSIS_DEFAULTS_H

#include "policy/fieldset/path.h"

#include <stdbool.h>
#include <yyjson.h>

/*
 * Whether the value may be the default of the field, judged only by the field's name and value, and the list
 * item that it is in, for built-in kinds (kubernetes, pkg/apis, defaults.go). If true, it is unknown whether
 * a manager set the value; if false, a manager set it.
 */
bool value_may_be_default(const struct path *path, yyjson_val *value);

#endif

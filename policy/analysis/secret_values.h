/*
 * secret_values.h: whether a Secret's values are secret. Many are not: placeholders, encrypted values,
 * certificates, and settings of Argo CD's repositories.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_SECRET_VALUES_H
#define APPLYGUARD_POLICY_ANALYSIS_SECRET_VALUES_H

#include "base/json.h"

#include <stdbool.h>

/* Whether `data` or `stringData` of the Secret have a value that may be secret. Takes memory for settings in
 * base64. */
bool secret_has_values(yyjson_val *secret, struct arena *arena);

#endif

/*
 * qualified_name.h: keys and values of labels, as the API server takes them (apimachinery, util/validation).
 */
#ifndef APPLYGUARD_BASE_QUALIFIED_NAME_H
#define APPLYGUARD_BASE_QUALIFIED_NAME_H

#include "base/slice.h"

#include <stdbool.h>

/* A name of at most 63 bytes, and maybe a DNS subdomain and a slash before it (IsQualifiedName). */
bool qualified_name_is_valid(struct slice text);

/* Empty, or such a name without a subdomain (IsValidLabelValue). */
bool label_value_is_valid(struct slice text);

#endif

/*
 * quantity.h: values that manifests write in one form and the API server stores in another.
 */
#ifndef APPLYGUARD_BASE_QUANTITY_H
#define APPLYGUARD_BASE_QUANTITY_H

#include "base/slice.h"

#include <stdbool.h>

/*
 * Whether both are quantities (apimachinery, resource.Quantity) and equal, such as "1000m" and "1", or "1Gi"
 * and "1024Mi".
 */
bool quantities_equal(struct slice a, struct slice b);

/* Whether `encoded` is the base64 of `plain`, as a Secret's data is of its stringData. */
bool is_base64_of(struct slice encoded, struct slice plain);

#endif

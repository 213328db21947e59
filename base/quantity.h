/*
 * quantity.h: values that manifests write in one form and the API server stores in another.
 */
#ifndef APPLYGUARD_BASE_QUANTITY_H
#define APPLYGUARD_BASE_QUANTITY_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <yyjson.h>

/*
 * Whether both are quantities (apimachinery, resource.Quantity) and equal, such as "1000m" and "1", or "1Gi"
 * and "1024Mi".
 */
bool quantities_equal(struct slice a, struct slice b);

/* Whether Go reads it as a quantity (ParseQuantity), of any size. */
bool quantity_is_valid(struct slice text);

/* The same of a text that is stored, and what a manifest declares, which may be a number. */
bool quantity_is_declared(yyjson_val *declared, struct slice text);

/* Room for every text of quantity_canonical. */
#define QUANTITY_TEXT_BYTES 32

/*
 * Compares two quantities of a manifest, which may be numbers. `order` is negative, 0 or positive. False if
 * one of them is missing or no quantity.
 */
bool quantity_compare(yyjson_val *a, yyjson_val *b, int *order);

/*
 * Writes a quantity as Kubernetes writes it (CanonicalizeBytes): "1" for "1000m", "1Gi" for "1024Mi". Returns
 * the length; 0 if `text` is not a quantity, or its canonical form is not certain.
 */
size_t quantity_canonical(struct slice text, char canonical[QUANTITY_TEXT_BYTES]);

#endif

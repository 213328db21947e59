/*
 * unavoidable.h: fields that an applier takes from a controller and cannot leave to it.
 *
 * A manifest can drop a field that a controller sets only if the object is valid without it. A container
 * needs an image, and an atomic list also holds the manifest's own items. A chart that resets a field of its
 * own running controller can be changed by its vendor alone. Denying such an apply does not help.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_UNAVOIDABLE_H
#define APPLYGUARD_POLICY_ANALYSIS_UNAVOIDABLE_H

#include "policy/fieldset/path.h"
#include "policy/managers.h"
#include "policy/review/review.h"

#include <stdbool.h>

/*
 * Whether a manifest of the object cannot leave the field out. `value` is the value at the path after the
 * request; NULL: it is gone, so the manifest does not have it.
 */
bool field_is_required(const struct review *review, const struct path *path, yyjson_val *value);

/* Whether the object belongs to the product whose controller the manager is, such as Istio's webhooks. */
bool manager_is_of_product(const struct review *review, const struct manager *manager);

#endif

/*
 * repeatable.h: which requests may be done twice.
 */
#ifndef APPLYGUARD_KUBE_REPEATABLE_H
#define APPLYGUARD_KUBE_REPEATABLE_H

#include "kube/client.h"

#include <stdbool.h>

/* Whether doing the request twice comes to the same as doing it once. */
bool kube_is_repeatable(const struct kube_request *request);

#endif

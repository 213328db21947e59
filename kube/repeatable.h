/*
 * repeatable.h: which requests are idempotent.
 */
#ifndef APPLYGUARD_KUBE_REPEATABLE_H
#define APPLYGUARD_KUBE_REPEATABLE_H

#include "kube/client.h"

#include <stdbool.h>

/* Whether sending the request twice has the same effect as sending it once. */
bool kube_is_repeatable(const struct kube_request *request);

#endif

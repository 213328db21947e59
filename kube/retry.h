/*
 * retry.h: whether and when to retry a call.
 */
#ifndef APPLYGUARD_KUBE_RETRY_H
#define APPLYGUARD_KUBE_RETRY_H

#include "kube/transfer.h"

#include <stdbool.h>

/* Whether a retry may help and does no harm. `status` is the answer's; 0: no answer came. */
bool kube_is_worth_another_try(
    const struct kube_request *request, const struct transfer *transfer, long status);

/* The wait in milliseconds. `tries` is the number of tries so far. */
uint64_t kube_wait_before_next_try(unsigned tries, const struct transfer *transfer);

#endif

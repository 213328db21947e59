/*
 * retry.h: whether and when a call is tried again.
 */
#ifndef APPLYGUARD_KUBE_RETRY_H
#define APPLYGUARD_KUBE_RETRY_H

#include "kube/transfer.h"

#include <stdbool.h>

/* Whether another try may end better, and does no harm. `status` is the answer's; 0: none came. */
bool kube_is_worth_another_try(
    const struct kube_request *request, const struct transfer *transfer, long status);

/* In milliseconds. `tries` is how many there were. */
uint64_t kube_wait_before_next_try(unsigned tries, const struct transfer *transfer);

#endif

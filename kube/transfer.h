/*
 * transfer.h: one try of a call: a request on the wire, and its answer.
 */
#ifndef APPLYGUARD_KUBE_TRANSFER_H
#define APPLYGUARD_KUBE_TRANSFER_H

#include "kube/client_state.h"

enum transfer_result {
    TRANSFER_ANSWERED,    /* whatever the status */
    TRANSFER_NOT_SENT,    /* no connection: nothing was asked */
    TRANSFER_BROKEN,      /* the request may have been done */
    TRANSFER_OUT_OF_TIME, /* likewise */
    TRANSFER_HOPELESS,    /* no other try would end better */
    TRANSFER_STOPPED,
};

struct transfer {
    enum transfer_result result;
    uint64_t retry_after_ms; /* as the answer says; 0: it does not */
    struct error problem;    /* unless it was answered */
};

/* Whether doing the request twice comes to the same as doing it once (call.c). */
bool kube_is_repeatable(const struct kube_request *request);

/* Ends by `deadline` (kube_milliseconds). The response is filled if it was answered. */
struct transfer kube_transfer(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline,
    struct kube_response *response);

#endif

/*
 * transfer.h: one try of a call: a request on the wire, and its answer.
 */
#ifndef APPLYGUARD_KUBE_TRANSFER_H
#define APPLYGUARD_KUBE_TRANSFER_H

#include "kube/client_state.h"
#include "kube/transfer_setup.h"

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

/*
 * Puts the request on its way, to end by `deadline` (kube_milliseconds). `owner` is what
 * CURLINFO_PRIVATE tells of the handle. False if there is no memory; either way kube_transfer_release frees
 * what was made.
 */
bool kube_transfer_begin(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline, void *owner,
    struct transfer_setup *setup);

/* What became of it, as libcurl says it is over. The response is filled if it was answered. */
struct transfer kube_transfer_end(
    const struct kube_client *client, struct transfer_setup *setup, CURLcode code,
    struct kube_response *response);

#endif

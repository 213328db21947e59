/* transfer.h: one try of a call: a request and its answer. */
#ifndef APPLYGUARD_KUBE_TRANSFER_H
#define APPLYGUARD_KUBE_TRANSFER_H

#include "kube/client_state.h"
#include "kube/transfer_setup.h"

enum transfer_result {
    TRANSFER_ANSWERED,    /* with any status */
    TRANSFER_NOT_SENT,    /* no connection: the request was not sent */
    TRANSFER_BROKEN,      /* the request may have been processed */
    TRANSFER_OUT_OF_TIME, /* the same after the deadline */
    TRANSFER_HOPELESS,    /* a retry would not help */
    TRANSFER_STOPPED,
};

struct transfer {
    enum transfer_result result;
    uint64_t retry_after_ms; /* from the answer; 0: none */
    struct error problem;    /* set unless TRANSFER_ANSWERED */
};

/*
 * Starts the request, which ends by `deadline` (monotonic_milliseconds). `owner` becomes the handle's
 * CURLINFO_PRIVATE. Returns false if memory runs out; call kube_transfer_release in either case.
 */
bool kube_transfer_begin(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline, void *owner,
    struct transfer_setup *setup);

/* The outcome, once libcurl reports the end. Fills the response if there was an answer. */
struct transfer kube_transfer_end(
    const struct kube_client *client, struct transfer_setup *setup, CURLcode code,
    struct kube_response *response);

#endif

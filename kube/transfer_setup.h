/*
 * transfer_setup.h: what libcurl is told for one try of a call.
 */
#ifndef APPLYGUARD_KUBE_TRANSFER_SETUP_H
#define APPLYGUARD_KUBE_TRANSFER_SETUP_H

#include "kube/client_state.h"

/* Of an answer. Its `bytes.length` is the room, of which `length` bytes are filled. */
struct transfer_body {
    struct secret bytes;
    size_t length;
    size_t length_max;
    struct kube_allowance *allowance; /* where room beyond the first bytes is taken from, if not NULL */
    bool is_too_large;
    bool finds_no_room;
};

/* Stays where it is until the try is over: libcurl points into it. */
struct transfer_setup {
    CURL *easy;
    CURLM *multi; /* that it was added to; NULL: not yet */
    bool is_repeatable;
    bool was_begun;
    long bytes_before; /* that were sent before the request was, to a proxy */
    char *url;
    struct curl_slist *headers;
    struct curl_slist *connect_to;
    char detail[CURL_ERROR_SIZE];
    struct transfer_body body;
};

/* Makes the handle. False if there is no memory. Either way kube_transfer_release frees what was made. */
bool kube_transfer_set(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline,
    struct transfer_setup *setup);

/* What has come of the body; it is the receiver's from here on. */
struct secret kube_transfer_take_body(struct transfer_body *body);

/* Ends what is on its way. Accepts an empty one, and leaves that. */
void kube_transfer_release(struct transfer_setup *setup);

#endif

/*
 * transfer_setup.h: sets up libcurl for one try of a call.
 */
#ifndef APPLYGUARD_KUBE_TRANSFER_SETUP_H
#define APPLYGUARD_KUBE_TRANSFER_SETUP_H

#include "kube/client_state.h"

/* The body of an answer. `bytes.length` is its capacity; `length` bytes are filled. */
struct transfer_body {
    struct secret bytes;
    size_t length;
    size_t length_max;
    struct kube_allowance *allowance; /* pays for memory beyond the first bytes; may be NULL */
    size_t taken;                     /* bytes of the allowance that this body has taken */
    bool is_too_large;
    bool finds_no_room;
};

/* Must not move until the try is over: libcurl points into it. */
struct transfer_setup {
    CURL *easy;
    CURLM *multi; /* the multi handle to which it was added; NULL: not yet */
    bool is_repeatable;
    bool was_begun;
    long bytes_before; /* bytes sent to a proxy before the request */
    char *url;
    struct curl_slist *headers;
    struct curl_slist *connect_to;
    char detail[CURL_ERROR_SIZE];
    struct transfer_body body;
};

/* Creates the handle. Returns false if memory runs out. Call kube_transfer_release in either case. */
bool kube_transfer_set(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline,
    struct transfer_setup *setup);

/* The body as received so far. The caller owns it. */
struct secret kube_transfer_take_body(struct transfer_body *body);

/* Ends the transfer and frees everything. Accepts an empty one. */
void kube_transfer_release(struct transfer_setup *setup);

#endif

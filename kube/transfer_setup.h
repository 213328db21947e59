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
    bool is_too_large;
};

/* Stays where it is until the try is over: libcurl points into it. */
struct transfer_setup {
    char *url;
    struct curl_slist *headers;
    struct curl_slist *connect_to;
    char detail[CURL_ERROR_SIZE];
    struct transfer_body body;
};

/* False if there is no memory. Either way kube_transfer_release frees what was made. */
bool kube_transfer_set(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline,
    struct transfer_setup *setup);

void kube_transfer_release(struct transfer_setup *setup);

#endif

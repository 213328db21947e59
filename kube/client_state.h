/* client_state.h: the struct behind client.h. Private to this component. */
#ifndef APPLYGUARD_KUBE_CLIENT_STATE_H
#define APPLYGUARD_KUBE_CLIENT_STATE_H

#include "kube/client.h"
#include "kube/credentials.h"
#include "kube/material.h"

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdbool.h>

struct kube_client {
    struct kube_config config;
    struct kube_credentials credentials;
    CURLM *multi;                 /* holds the connections; a stop wakes its poll */
    struct kube_pending *pending; /* the calls in progress */
    bool has_ended;               /* a call has ended in this run */
    atomic_bool is_stopped;
};

#endif

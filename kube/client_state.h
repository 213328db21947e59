/*
 * client_state.h: what a client is made of. For kube/ alone.
 */
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
    CURL *easy;   /* set anew for every try */
    CURLM *multi; /* holds the connection; its poll is what a stop wakes */
    atomic_bool is_stopped;
};

#endif

/*
 * credentials.h: what a request carries to show who is asking, and what it checks the server by.
 */
#ifndef APPLYGUARD_KUBE_CREDENTIALS_H
#define APPLYGUARD_KUBE_CREDENTIALS_H

#include "kube/config.h"

#include <stdatomic.h>
#include <stdint.h>

/* As they are now; each empty where there is none. */
struct kube_credentials {
    struct secret ca;
    struct secret certificate;
    struct secret key;
    struct secret token;
    bool has_run;       /* the exec plugin has given them */
    int64_t expires_at; /* of what it gave; 0: it did not say */
};

/*
 * Reads again whatever files there are, and runs the exec plugin where what it gave has expired, or where
 * `is_refused` says that the API server does not take it any more. -1 and an error for what cannot be used.
 */
int kube_credentials_refresh(
    struct kube_credentials *credentials, const struct kube_config *config, bool is_refused,
    const atomic_bool *is_stopped, struct error *error);

/* Cleanses and frees; accepts empty ones. */
void kube_credentials_release(struct kube_credentials *credentials);

#endif

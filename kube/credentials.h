/*
 * credentials.h: the current credentials of a client, and the CA that it trusts.
 */
#ifndef APPLYGUARD_KUBE_CREDENTIALS_H
#define APPLYGUARD_KUBE_CREDENTIALS_H

#include "kube/config.h"

#include <stdatomic.h>
#include <stdint.h>

/* The current values; each is empty if there is none. */
struct kube_credentials {
    struct secret ca;
    struct secret certificate;
    struct secret key;
    struct secret token;
    bool has_run;       /* the exec plugin has provided them */
    int64_t expires_at; /* when they expire; 0: the plugin did not say */
};

/*
 * Reads all files again. Runs the exec plugin if its credentials have expired, or if `is_refused`: the API
 * server no longer accepts them. -1 and an error for credentials that cannot be used.
 */
int kube_credentials_refresh(
    struct kube_credentials *credentials, const struct kube_config *config, bool is_refused,
    const atomic_bool *is_stopped, struct error *error);

/* Overwrites and frees them. Accepts empty ones. */
void kube_credentials_release(struct kube_credentials *credentials);

#endif

/*
 * credentials.h: the current credentials of a client, and the CA that it trusts.
 */
#ifndef APPLYGUARD_KUBE_CREDENTIALS_H
#define APPLYGUARD_KUBE_CREDENTIALS_H

#include "kube/config.h"

/* The current values; each is empty if there is none. */
struct kube_credentials {
    struct secret ca;
    struct secret certificate;
    struct secret key;
    struct secret token;
};

/* Reads all files again. -1 and an error for credentials that cannot be used. */
int kube_credentials_refresh(
    struct kube_credentials *credentials, const struct kube_config *config, struct error *error);

/* Overwrites and frees them. Accepts empty ones. */
void kube_credentials_release(struct kube_credentials *credentials);

#endif

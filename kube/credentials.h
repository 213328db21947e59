/*
 * credentials.h: the current credentials of a client, and the CA that it trusts.
 */
#ifndef APPLYGUARD_KUBE_CREDENTIALS_H
#define APPLYGUARD_KUBE_CREDENTIALS_H

#include "kube/config.h"

/* The current values; values that are not set are empty. */
struct kube_credentials {
    struct secret ca;
    struct secret certificate;
    struct secret key;
    struct secret token;
};

/* Reads all files again. Returns -1 and sets the error for credentials that cannot be used. */
int kube_credentials_refresh(
    struct kube_credentials *credentials, const struct kube_config *config, struct error *error);

/* Overwrites and frees the credentials. Accepts empty ones. */
void kube_credentials_release(struct kube_credentials *credentials);

#endif

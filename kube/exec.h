/*
 * exec.h: credentials from a program, as kubeconfigs of cloud clusters ask for
 * (client.authentication.k8s.io). The program is run without a shell, and may talk to the person at the
 * terminal where the kubeconfig lets it.
 */
#ifndef APPLYGUARD_KUBE_EXEC_H
#define APPLYGUARD_KUBE_EXEC_H

#include "kube/config.h"

#include <stdatomic.h>
#include <stdint.h>

/* A person may have to log in with a browser. */
#define KUBE_EXEC_SECONDS_MAX 120

/* Each empty where the program gave none. */
struct kube_exec_credential {
    struct secret token;
    struct secret certificate;
    struct secret key;
    int64_t expires_at; /* seconds since 1970; 0: it does not say */
};

/* Cleanses and frees; accepts an empty one. */
void kube_exec_credential_release(struct kube_exec_credential *credential);

/*
 * Runs the config's program. `authority` is the cluster's, for a program that is told of the cluster. The
 * program is killed when `is_stopped` becomes true, or its time is up.
 */
int kube_exec_run(
    const struct kube_config *config, const struct secret *authority, const atomic_bool *is_stopped,
    struct kube_exec_credential *credential, struct error *error);

/* Reads an ExecCredential of the given apiVersion. Nothing of it is in an error. */
int kube_exec_credential_parse(
    struct slice json, const char *api_version, struct kube_exec_credential *credential, struct error *error);

/* What the program finds in KUBERNETES_EXEC_INFO: an ExecCredential. Freed with free; NULL without memory. */
char *kube_exec_info(const struct kube_config *config, const struct secret *authority, bool is_interactive);

#endif

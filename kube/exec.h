/*
 * exec.h: runs exec plugins, programs that provide credentials (client.authentication.k8s.io), as kubeconfigs
 * of cloud clusters require. A plugin runs without a shell, and may use the terminal if the kubeconfig allows
 * it.
 */
#ifndef APPLYGUARD_KUBE_EXEC_H
#define APPLYGUARD_KUBE_EXEC_H

#include "kube/config.h"

#include <stdatomic.h>
#include <stdint.h>

/* The time limit of a plugin: a person may have to log in with a browser. */
#define KUBE_EXEC_SECONDS_MAX 120

/* Each is empty if the plugin provided none. */
struct kube_exec_credential {
    struct secret token;
    struct secret certificate;
    struct secret key;
    int64_t expires_at; /* seconds since 1970; 0: it does not say */
};

/* Overwrites and frees it. Accepts an empty one. */
void kube_exec_credential_release(struct kube_exec_credential *credential);

/*
 * Runs the config's plugin. `authority` is the cluster's CA, for a plugin that gets the cluster's data. Kills
 * the plugin when `is_stopped` becomes true or its time is up.
 */
int kube_exec_run(
    const struct kube_config *config, const struct secret *authority, const atomic_bool *is_stopped,
    struct kube_exec_credential *credential, struct error *error);

/* Reads an ExecCredential of the given apiVersion. Errors contain no part of it. */
int kube_exec_credential_parse(
    struct slice json, const char *api_version, struct kube_exec_credential *credential, struct error *error);

/*
 * The value of KUBERNETES_EXEC_INFO for the plugin: an ExecCredential. Free it with free. NULL if there is no
 * memory.
 */
char *kube_exec_info(const struct kube_config *config, const struct secret *authority, bool is_interactive);

#endif

/*
 * cluster.h: connects a command to its cluster.
 */
#ifndef APPLYGUARD_CLI_CLUSTER_H
#define APPLYGUARD_CLI_CLUSTER_H

#include "kube/client.h"

/* The timeout of a call. */
#define CLUSTER_TIMEOUT_MS 15000

/*
 * Finds the cluster as kubectl does: from the given kubeconfig, the one in KUBECONFIG, ~/.kube/config, or
 * else the pod's service account. `context` may be NULL. Runs the kubeconfig's exec plugin if it has one.
 * NULL and an error that says which file is wrong, and where. Free it with kube_client_free.
 */
struct kube_client *cluster_connect(const char *kubeconfig, const char *context, struct error *error);

#endif

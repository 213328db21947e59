/*
 * cluster.h: the cluster that a command is about.
 */
#ifndef APPLYGUARD_CLI_CLUSTER_H
#define APPLYGUARD_CLI_CLUSTER_H

#include "kube/client.h"

/* How long a person waits for an answer. */
#define CLUSTER_TIMEOUT_MS 15000

/*
 * As kubectl finds it: the given kubeconfig, or the one that KUBECONFIG names, or ~/.kube/config; where there
 * is none of them, what a pod is given. `context` may be NULL. Credentials may come from a program that the
 * kubeconfig names. NULL and an error that says which file is wrong, and where. Freed with kube_client_free.
 */
struct kube_client *cluster_connect(const char *kubeconfig, const char *context, struct error *error);

#endif

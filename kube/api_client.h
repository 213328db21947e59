/*
 * api_client.h: connects the server to the API server.
 */
#ifndef APPLYGUARD_KUBE_API_CLIENT_H
#define APPLYGUARD_KUBE_API_CLIENT_H

#include "kube/client.h"

/*
 * Uses the kubeconfig, or the pod's service account if `kubeconfig_path` is NULL. Never runs an exec plugin.
 * NULL and an error for a configuration that can never work. Free it with kube_client_free.
 */
struct kube_client *api_client_connect(const char *kubeconfig_path, struct error *error);

#endif

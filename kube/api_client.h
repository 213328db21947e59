/*
 * api_client.h: the server's own way to the API server, for what it was told to do there.
 */
#ifndef APPLYGUARD_KUBE_API_CLIENT_H
#define APPLYGUARD_KUBE_API_CLIENT_H

#include "kube/client.h"

/*
 * As the kubeconfig says, or where `kubeconfig_path` is NULL as a pod may; no program is run for credentials.
 * NULL and an error for what can never work. Freed with kube_client_free.
 */
struct kube_client *api_client_connect(const char *kubeconfig_path, struct error *error);

#endif

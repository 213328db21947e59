/*
 * api_client.h: connects the server, and people who publish certificates, to the API server.
 *
 * Both return NULL and set the error for a configuration that can never work. Free the client with
 * kube_client_free.
 */
#ifndef APPLYGUARD_KUBE_API_CLIENT_H
#define APPLYGUARD_KUBE_API_CLIENT_H

#include "kube/client.h"

/* Uses the kubeconfig, or the pod's service account if `kubeconfig_path` is NULL. */
struct kube_client *api_client_connect(const char *kubeconfig_path, struct error *error);

/*
 * For people: uses this kubeconfig, or the one in KUBECONFIG, or ~/.kube/config, or else the pod's service
 * account. The first two arguments may be NULL.
 */
struct kube_client *api_client_find(const char *kubeconfig_path, const char *context, struct error *error);

#endif

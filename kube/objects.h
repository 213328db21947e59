/*
 * objects.h: finds kinds and objects by the names that people type, as kubectl does.
 */
#ifndef APPLYGUARD_KUBE_OBJECTS_H
#define APPLYGUARD_KUBE_OBJECTS_H

#include "kube/client.h"
#include "kube/discovery.h"

/*
 * Finds a kind by a name of its: deployments, deployment, Deployment or deploy, each also with its group
 * (deployments.apps) or its version and group (deployments.v1.apps). Names go before short names, the core
 * group before others, and of a group its preferred version. Returns 0; 1 and an error if there is none; -1
 * and an error if the API server cannot be asked, or some of its groups do not answer. Its texts live in the
 * arena, or as long as the client: it keeps what it found, and asks the API server once.
 */
int kube_find_kind(
    struct kube_client *client, struct slice name, struct arena *arena, struct kube_kind *kind,
    struct error *error);

/*
 * Reads an object. `namespace` does not matter for kinds without one. -1 and an error if it cannot be read;
 * otherwise the response holds it as JSON, and the caller releases it.
 */
int kube_read_object(
    struct kube_client *client, const struct kube_kind *kind, const char *namespace, struct slice name,
    struct kube_response *response, struct error *error);

#endif

/*
 * pod_cluster.h: a pod's service account as the way to a cluster, where there is no kubectl.
 */
#ifndef APPLYGUARD_KUBE_POD_CLUSTER_H
#define APPLYGUARD_KUBE_POD_CLUSTER_H

#include "kubectl/cluster.h"

/* `namespace` is that of objects that name none, or NULL: the pod's. NULL and an error outside of a pod. */
struct cluster *pod_cluster_open(const char *namespace, struct error *error);

#endif

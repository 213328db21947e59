/* pod_cluster.h: a pod's service account as the access to a cluster, if kubectl is missing. */
#ifndef APPLYGUARD_KUBE_POD_CLUSTER_H
#define APPLYGUARD_KUBE_POD_CLUSTER_H

#include "kubectl/cluster.h"

/*
 * `namespace` is for objects that name none; NULL: the pod's. Returns NULL and sets the error outside of a
 * pod.
 */
struct cluster *pod_cluster_open(const char *namespace, struct error *error);

#endif

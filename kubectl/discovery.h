/*
 * discovery.h: the kinds that a cluster serves and lists.
 */
#ifndef APPLYGUARD_KUBECTL_DISCOVERY_H
#define APPLYGUARD_KUBECTL_DISCOVERY_H

#include "kubectl/cluster.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/* A kind in the version that its group prefers, if it is served in that. */
struct discovered_kind {
    struct slice api_version; /* apps/v1 */
    struct slice group;       /* empty: the core group */
    struct slice kind;        /* Deployment */
    struct slice plural;      /* deployments */
    struct slice singular;
    yyjson_val *short_names; /* a list of texts, or NULL */
    bool is_namespaced;
};

struct discovery {
    struct discovered_kind *kinds;
    size_t count, capacity;
    struct slice *versions; /* that are served: apps/v1 */
    size_t version_count, version_capacity;
    struct arena *arena; /* the caller's */

    /* A version whose kinds cannot be listed, such as that of another API server which is down. */
    void (*complain)(void *context, const char *path, const struct error *error);
    void *context;
};

/* Fills the kinds and the versions. Returns -1 and sets the error if the cluster cannot be asked. */
int discovery_read(struct discovery *discovery, struct cluster *cluster, struct error *error);

/* Whether people call the kind so: deployments, deployment, deploy, Deployment, with or without .apps. */
bool discovery_is_named(const struct discovered_kind *kind, struct slice name);

#endif

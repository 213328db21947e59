/*
 * discovery.h: which kind people mean, in the lists of kinds that an API server serves.
 *
 * There are two forms (apimachinery, meta/v1 and apidiscovery/v2): the aggregated one has all kinds of all
 * groups, the older one has a list of groups, and a list of kinds for each of their versions.
 */
#ifndef APPLYGUARD_KUBE_DISCOVERY_H
#define APPLYGUARD_KUBE_DISCOVERY_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/* A kind that the API server serves. Its texts are never empty, but for the group of the core kinds. */
struct kube_kind {
    struct slice group;
    struct slice version;
    struct slice plural; /* deployments */
    struct slice kind;   /* Deployment */
    bool is_namespaced;
};

/* How well a kind answers to a name. */
enum kind_match { KIND_MATCH_NONE, KIND_MATCH_SHORT_NAME, KIND_MATCH_NAME };

/* What is searched for, and the best that is found so far. */
struct kind_search {
    struct arena *arena; /* of the texts of what is found */
    struct slice name;   /* deploy */
    struct slice scope;  /* apps, v1.apps; empty: any */
    struct kube_kind found;
    enum kind_match match;
    bool is_short; /* kinds are not listed, because the server of their group is down */
};

/* For deploy, deployments.apps or deployments.v1.apps. */
struct kind_search kind_search_for(struct slice name, struct arena *arena);

/* Whether kinds of the group and version are searched. */
bool kind_search_wants(const struct kind_search *search, struct slice group, struct slice version);

/* Searches the aggregated form. False if the answer is of the older form. */
bool kind_search_groups(struct kind_search *search, yyjson_val *answer);

/* Searches the list of kinds of a version, in the older form. */
void kind_search_version(
    struct kind_search *search, struct slice group, struct slice version, yyjson_val *answer);

/* Where an object is served, NUL-terminated. Bytes NULL if there is no memory. */
struct slice kube_object_path(
    const struct kube_kind *kind, const char *namespace, struct slice name, struct arena *arena);

/* The same of the list of kinds of a version. */
struct slice kube_version_path(struct slice group, struct slice version, struct arena *arena);

#endif

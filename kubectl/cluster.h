/*
 * cluster.h: reads objects of a cluster, whichever way leads to it.
 *
 * Two ways do: the user's own kubectl (kubectl.h), and in a pod the service account (kube/pod_cluster.h).
 */
#ifndef APPLYGUARD_KUBECTL_CLUSTER_H
#define APPLYGUARD_KUBECTL_CLUSTER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "system/file.h"

/* The limit of an answer. */
#define CLUSTER_ANSWER_BYTES_MAX ((size_t)64 * 1024 * 1024)

enum cluster_found {
    CLUSTER_FAILED = -1, /* and an error */
    CLUSTER_FOUND,
    CLUSTER_NO_OBJECT,
    CLUSTER_NO_KIND, /* nor is its kind there; and an error */
};

/* The kinds of a version of a group, as the cluster lists them. */
struct cluster_kinds;

/* A way to a cluster. The functions are its own; call those below. */
struct cluster {
    enum cluster_found (*get_raw)(
        struct cluster *cluster, const char *path, struct file_content *content, struct error *error);
    int (*get_named)(
        struct cluster *cluster, const char *kind_and_name, struct file_content *content,
        struct error *error);
    const char *(*get_namespace)(struct cluster *cluster); /* NULL: it names none */
    void (*close)(struct cluster *cluster);

    struct arena *arena; /* of what is kept; the way creates it, cluster_close destroys it */
    struct cluster_kinds *kinds;
};

/*
 * GETs a path such as /apis/apps/v1/deployments?limit=500. CLUSTER_FOUND: the caller frees the content.
 * CLUSTER_NO_OBJECT: the API server answers 404.
 */
enum cluster_found cluster_get_raw(
    struct cluster *cluster, const char *path, struct file_content *content, struct error *error);

/* Reads the object KIND/NAME, as people name it for kubectl, as JSON. The caller frees the content. -1 and an
 * error. */
int cluster_get_named(
    struct cluster *cluster, const char *kind_and_name, struct file_content *content, struct error *error);

/* An object of the cluster, as manifests name it. */
struct cluster_object {
    struct slice api_version;
    struct slice kind;
    struct slice namespace; /* empty: that of cluster_namespace */
    struct slice name;
};

/* Reads an object as JSON. The caller frees the content. */
enum cluster_found cluster_find_object(
    struct cluster *cluster, const struct cluster_object *object, struct file_content *content,
    struct error *error);

/* Reads the CustomResourceDefinition of an object's kind. The caller frees the content. */
enum cluster_found cluster_find_definition(
    struct cluster *cluster, const struct cluster_object *object, struct file_content *content,
    struct error *error);

/* The namespace of objects that name none. */
struct slice cluster_namespace(struct cluster *cluster);

/* Accepts NULL. */
void cluster_close(struct cluster *cluster);

#endif

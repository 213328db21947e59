/*
 * cluster.h: reads objects of a cluster.
 *
 * Two ways lead to it: the user's own kubectl (kubectl.h), and in a pod the service account
 * (kube/pod_cluster.h).
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
    CLUSTER_FAILED = -1, /* the error is set */
    CLUSTER_FOUND,
    CLUSTER_NO_OBJECT,
    CLUSTER_NO_KIND, /* the cluster lacks even its kind; the error is set */
};

/* Why a question was not answered. */
enum cluster_refusal {
    CLUSTER_REFUSAL_OTHER,
    CLUSTER_FORBIDDEN,
    CLUSTER_EXPIRED,     /* the token of a list: the list has changed too much since */
    CLUSTER_UNREACHABLE, /* no question reached it, and further ones will not either */
    CLUSTER_BUSY,        /* it has too much to do, and the client has waited as long as it was asked to */
};

/* The kinds of a version of a group, as the cluster lists them. */
struct cluster_kinds;

/* The access to a cluster. These functions differ by the way; call the ones below instead. */
struct cluster {
    enum cluster_found (*get_raw)(
        struct cluster *cluster, const char *path, struct file_content *content, struct error *error);
    int (*get_named)(
        struct cluster *cluster, const char *kind_and_name, struct file_content *content,
        struct error *error);
    const char *(*get_namespace)(struct cluster *cluster); /* NULL: the context names none */
    void (*close)(struct cluster *cluster);

    enum cluster_refusal refusal; /* of the last question, after CLUSTER_FAILED */
    struct arena *arena; /* for kept answers; the implementation creates it, cluster_close destroys it */
    struct cluster_kinds *kinds;
};

/*
 * GETs a path such as /apis/apps/v1/deployments?limit=500. CLUSTER_FOUND: the caller frees the content.
 * CLUSTER_NO_OBJECT: the API server answers 404, and the error is not set.
 */
enum cluster_found cluster_get_raw(
    struct cluster *cluster, const char *path, struct file_content *content, struct error *error);

/* Whether a text has the form KIND/NAME, such as deployment/web. */
bool cluster_is_kind_and_name(const char *text);

/*
 * Reads the object KIND/NAME, in kubectl's notation, as JSON. The caller frees the content. Returns -1 and
 * sets the error.
 */
int cluster_get_named(
    struct cluster *cluster, const char *kind_and_name, struct file_content *content, struct error *error);

/* An object of the cluster, as a manifest names it. */
struct cluster_object {
    struct slice api_version;
    struct slice kind;
    struct slice namespace; /* empty: cluster_namespace */
    struct slice name;
};

/* Reads an object as JSON. The caller frees the content. */
enum cluster_found cluster_find_object(
    struct cluster *cluster, const struct cluster_object *object, struct file_content *content,
    struct error *error);

/*
 * Lists the objects of a kind, as a List in JSON: the objects of a namespace, or of the whole cluster if it
 * is empty. The name of `kind` is not used. An empty selector selects all. The caller frees the content.
 */
enum cluster_found cluster_list_objects(
    struct cluster *cluster, const struct cluster_object *kind, struct slice selector,
    struct file_content *content, struct error *error);

/* The apiVersion of a group that the cluster prefers, in memory of the arena; v1 for the core group. */
enum cluster_found cluster_find_version(
    struct cluster *cluster, struct slice group, struct arena *arena, struct slice *api_version,
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

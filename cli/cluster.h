/*
 * cluster.h: connects a command to its cluster, and reads the objects that its arguments name.
 */
#ifndef APPLYGUARD_CLI_CLUSTER_H
#define APPLYGUARD_CLI_CLUSTER_H

#include "base/names.h"
#include "cli/file.h"
#include "cli/framework/command.h"
#include "kube/client.h"

/* The timeout of a call. */
#define CLUSTER_TIMEOUT_MS 15000

/* What kubectl's flags of the same names say; each may be NULL or empty. */
struct cluster_options {
    const char *kubeconfig;
    const char *context;
    const char *namespace;
    const char *as;
    const char *as_uid;
    struct names as_groups;
};

/* Rows of a command whose options have a member `cluster`. Call cluster_options_release in the end. */
#define CLUSTER_FLAGS(type)                                                                                  \
    {.name = "namespace",                                                                                    \
     .letter = 'n',                                                                                          \
     .value = "NAME",                                                                                        \
     .text = "the namespace of the object (default that of the context, or default)",                        \
     SETS(flag_set_if_any, type, cluster.namespace)},                                                        \
        {.name = "context",                                                                                  \
         .value = "NAME",                                                                                    \
         .text = "the context of the kubeconfig (default its current-context)",                              \
         SETS(flag_set_if_any, type, cluster.context)},                                                      \
        {.name = "kubeconfig",                                                                               \
         .value = "FILE",                                                                                    \
         .text = "the kubeconfig (default the files in KUBECONFIG, or ~/.kube/config)",                      \
         SETS(flag_set_if_any, type, cluster.kubeconfig)},                                                   \
        {.name = "as",                                                                                       \
         .value = "USER",                                                                                    \
         .text = "act as this user, or service account system:serviceaccount:NAMESPACE:NAME",                \
         SETS(flag_set_string, type, cluster.as)},                                                           \
        {.name = "as-uid",                                                                                   \
         .value = "UID",                                                                                     \
         .text = "act as the user with this UID",                                                            \
         SETS(flag_set_string, type, cluster.as_uid)},                                                       \
    {                                                                                                        \
        .name = "as-group", .value = "GROUP",                                                                \
        .text = "act as a member of this group; may be given several times",                                 \
        SETS(names_flag, type, cluster.as_groups)                                                            \
    }

void cluster_options_release(struct cluster_options *options);

/*
 * Finds the cluster as kubectl does: from the given kubeconfig, those in KUBECONFIG, ~/.kube/config, or else
 * the pod's service account. Runs the kubeconfig's exec plugin if it has one. NULL and an error that says
 * which file is wrong, and where. Free it with kube_client_free.
 */
struct kube_client *cluster_connect(const struct cluster_options *options, struct error *error);

/*
 * Reads the object KIND/NAME. -1 and an error; otherwise the response holds it as JSON, and the caller
 * releases it.
 */
int cluster_read_object(
    struct kube_client *client, const struct cluster_options *options, const char *kind_and_name,
    struct kube_response *response, struct error *error);

/*
 * Connects, reads the object KIND/NAME as JSON, and disconnects. -1 and an error, as always in the static
 * program (no_cluster.c).
 */
int cluster_read_one(
    const struct cluster_options *options, const char *kind_and_name, struct file_content *content,
    struct error *error);

/* The same over a connection that is made if `*client` is NULL, and stays. */
int cluster_read_named(
    struct kube_client **client, const struct cluster_options *options, const char *kind_and_name,
    struct file_content *content, struct error *error);

/* An object of the cluster, as manifests name it. */
struct cluster_object {
    struct slice api_version;
    struct slice kind;
    struct slice namespace; /* empty: that of the context, or default */
    struct slice name;
};

enum cluster_found {
    CLUSTER_FAILED = -1, /* and an error, as always in the static program */
    CLUSTER_FOUND,
    CLUSTER_NO_OBJECT, /* it is not there */
    CLUSTER_NO_KIND,   /* nor is its kind; and an error */
};

/* Reads an object as JSON, over a connection that is made if `*client` is NULL. */
enum cluster_found cluster_find_object(
    struct kube_client **client, const struct cluster_options *options, const struct cluster_object *object,
    struct file_content *content, struct error *error);

/* The same for the CustomResourceDefinition of an object's kind. */
enum cluster_found cluster_find_type(
    struct kube_client **client, const struct cluster_options *options, const struct cluster_object *object,
    struct file_content *content, struct error *error);

/* Where objects go that name no namespace. `client` may be NULL. */
struct slice cluster_namespace(const struct kube_client *client, const struct cluster_options *options);

/* Accepts NULL. */
void cluster_disconnect(struct kube_client *client);

#endif

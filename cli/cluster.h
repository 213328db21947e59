/* cluster.h: the flags that name a cluster, and the access to it. */
#ifndef APPLYGUARD_CLI_CLUSTER_H
#define APPLYGUARD_CLI_CLUSTER_H

#include "base/names.h"
#include "cli/framework/command.h"
#include "kubectl/cluster.h"
#include "manifest/each_object.h"

/* kubectl's flags of the same names; each may be NULL or empty. */
struct cluster_options {
    const char *namespace;
    const char *kubeconfig;
    const char *context;
    const char *cluster;
    const char *user;
    const char *server;
    const char *token;
    const char *certificate_authority;
    const char *client_certificate;
    const char *client_key;
    const char *tls_server_name;
    bool insecure_skip_tls_verify;
    const char *request_timeout;
    const char *as;
    const char *as_uid;
    struct names as_groups;
};

#define CLUSTER_FLAG(type, flag, word, member_name, words)                                                   \
    {                                                                                                        \
        .name = (flag), .value = (word), .text = (words), SETS(flag_set_if_any, type, cluster.member_name)   \
    }

/* Rows for a command whose options have a member `cluster`. */
#define CLUSTER_FLAGS(type)                                                                                  \
    {.name = "namespace",                                                                                    \
     .letter = 'n',                                                                                          \
     .value = "NAME",                                                                                        \
     .text = "the namespace of the object (default that of the context, or default)",                        \
     SETS(flag_set_if_any, type, cluster.namespace)},                                                        \
        CLUSTER_CONNECTION_FLAGS(type)

/* The same without --namespace. */
#define CLUSTER_CONNECTION_FLAGS(type)                                                                       \
    CLUSTER_FLAG(                                                                                            \
        type, "context", "NAME", context, "the context of the kubeconfig (default its current-context)"),    \
        CLUSTER_ACCESS_FLAGS(type)

/* The same without --context, too. */
#define CLUSTER_ACCESS_FLAGS(type)                                                                           \
    CLUSTER_FLAG(                                                                                            \
        type, "kubeconfig", "FILE", kubeconfig,                                                              \
        "the kubeconfig (default the files in KUBECONFIG, or ~/.kube/config)"),                              \
        CLUSTER_FLAG(type, "cluster", "NAME", cluster, "the cluster of the kubeconfig"),                     \
        {.name = "server",                                                                                   \
         .letter = 's',                                                                                      \
         .value = "URL",                                                                                     \
         .text = "the address of the API server",                                                            \
         SETS(flag_set_if_any, type, cluster.server)},                                                       \
        CLUSTER_FLAG(type, "token", "TOKEN", token, "a bearer token for the API server"),                    \
        CLUSTER_FLAG(                                                                                        \
            type, "certificate-authority", "FILE", certificate_authority,                                    \
            "the CA certificate of the API server"),                                                         \
        CLUSTER_FLAG(                                                                                        \
            type, "client-certificate", "FILE", client_certificate,                                          \
            "a client certificate for the API server"),                                                      \
        CLUSTER_FLAG(type, "client-key", "FILE", client_key, "the key of the client certificate"),           \
        CLUSTER_FLAG(                                                                                        \
            type, "tls-server-name", "NAME", tls_server_name,                                                \
            "the name in the API server's certificate (default that of its address)"),                       \
        {.name = "insecure-skip-tls-verify",                                                                 \
         .text = "do not check the API server's certificate",                                                \
         SETS(flag_set_true, type, cluster.insecure_skip_tls_verify)},                                       \
        CLUSTER_FLAG(                                                                                        \
            type, "request-timeout", "DURATION", request_timeout,                                            \
            "how long to wait for an answer of the API server, such as 30s (default as long as it takes)"),  \
        CLUSTER_FLAG(                                                                                        \
            type, "as", "USER", as,                                                                          \
            "act as this user, or service account system:serviceaccount:NAMESPACE:NAME"),                    \
        CLUSTER_FLAG(type, "as-uid", "UID", as_uid, "act as the user with this UID"),                        \
    {                                                                                                        \
        .name = "as-group", .value = "GROUP",                                                                \
        .text = "act as a member of this group; may be given several times",                                 \
        LISTS(names_flag, type, cluster.as_groups)                                                           \
    }

/* The row for --user, for commands in which that flag has no other meaning. */
#define CLUSTER_USER_FLAG(type) CLUSTER_FLAG(type, "user", "NAME", user, "the user of the kubeconfig")

/*
 * kubectl's flags for the connection, such as --context=shop, each with a NUL behind it; without the token if
 * `with_token` is false. If memory runs out, arena_has_failed() returns true.
 */
struct slice_list cluster_flags(const struct cluster_options *options, bool with_token, struct arena *arena);

/* Whether this is a pod without kubectl. */
bool cluster_is_in_pod(void);

/*
 * Opens the cluster that kubectl would use, through kubectl; in a pod without kubectl, through the pod's
 * service account. Returns NULL and sets the error. Close it with cluster_close.
 */
struct cluster *cluster_open(const struct cluster_options *options, struct error *error);

/*
 * Reads the object KIND/NAME as JSON. If `*cluster` is NULL, opens the cluster, which the caller must close.
 * Returns -1 and sets the error; otherwise the caller frees the content.
 */
int cluster_read_named(
    struct cluster **cluster, const struct cluster_options *options, const char *kind_and_name,
    struct file_content *content, struct error *error);

/* The same, and visits the objects in it. */
void cluster_visit_named(
    struct cluster **cluster, const struct cluster_options *options, const char *kind_and_name,
    const struct object_visitor *visitor);

#endif

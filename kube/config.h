/*
 * config.h: where the API server is, whom to trust, and who is asking.
 *
 * Read from a kubeconfig file or from what a pod is given, then handed to a client, which copies it. What is
 * named by a file is read from it again for every request, because Kubernetes renews tokens and authorities
 * in place. An error carries the line of the kubeconfig where there is one, and never a token or a key.
 */
#ifndef APPLYGUARD_KUBE_CONFIG_H
#define APPLYGUARD_KUBE_CONFIG_H

#include "base/error.h"
#include "base/slice.h"
#include "certs/key.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a pod finds its service account. */
#define KUBE_SERVICE_ACCOUNT_FOLDER "/var/run/secrets/kubernetes.io/serviceaccount"

/* A kubeconfig, a token file or a certificate file is never larger. */
#define KUBE_FILE_BYTES_MAX ((size_t)1024 * 1024)

/* Its content, or the path of the file that holds it; neither where both are empty. */
struct kube_material {
    struct secret content;
    char *path;
};

/* Whether an exec plugin may ask the person at the terminal. */
enum kube_interaction { KUBE_INTERACTIVE_IF_AVAILABLE, KUBE_INTERACTIVE_NEVER, KUBE_INTERACTIVE_ALWAYS };

struct kube_strings {
    char **items;
    size_t count;
};

/* A program that prints credentials (client.authentication.k8s.io). */
struct kube_exec {
    char *command; /* NULL: there is none */
    char *api_version;
    char *install_hint;              /* NULL, or what to do where the program is missing */
    struct kube_strings arguments;   /* after the command itself */
    struct kube_strings environment; /* NAME=VALUE, added to ours */
    enum kube_interaction interaction;
    bool provides_cluster; /* the program is told of the cluster */
    bool is_allowed;       /* set by who reads the config: a server never runs a program */
};

/* Strings are owned, and NULL where they are not given. */
struct kube_config {
    char *server; /* https://HOST:PORT/PATH, without a slash at the end */
    char *tls_server_name;
    char *proxy_url;
    char *namespace;
    struct kube_material ca; /* PEM; the system's authorities where it is empty */
    struct kube_material token;
    struct kube_material certificate; /* PEM, with its chain */
    struct kube_material key;         /* PEM */
    struct kube_exec exec;
    bool insecure_skip_tls_verify;
};

/*
 * What a pod is given: KUBERNETES_SERVICE_HOST and _PORT, and the token, ca.crt and namespace in `folder`
 * (NULL: KUBE_SERVICE_ACCOUNT_FOLDER). -1 and an error outside of a pod, or where no token is mounted.
 */
int kube_config_in_cluster(struct kube_config *config, const char *folder, struct error *error);

/*
 * A kubeconfig. Files in it are relative to the folder of `path`, which is not read here and may be NULL.
 * `context` NULL takes current-context. Of the error's place `line` and `column` are set; the caller names
 * the file.
 */
int kube_config_read(
    struct kube_config *config, struct slice yaml, const char *path, const char *context,
    struct error *error);

/* The same of a file, which an error names. */
int kube_config_read_file(
    struct kube_config *config, const char *path, const char *context, struct error *error);

/* An independent copy. -1 if there is no memory; `copy` is then empty. */
int kube_config_copy(struct kube_config *copy, const struct kube_config *config, struct error *error);

/* Cleanses and frees all that it owns; accepts an empty one. */
void kube_config_release(struct kube_config *config);

#endif

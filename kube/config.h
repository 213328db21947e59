/*
 * config.h: how to reach the API server: its address, its CA and the client's credentials.
 *
 * It is read from a kubeconfig file or from the pod's environment, and then passed to a client, which copies
 * it. Files that it names are read again for every request, because Kubernetes renews tokens and CAs in
 * place. An error has the line of the kubeconfig, if there is one, and never contains a token or a key.
 */
#ifndef APPLYGUARD_KUBE_CONFIG_H
#define APPLYGUARD_KUBE_CONFIG_H

#include "base/error.h"
#include "base/slice.h"
#include "certs/key.h"

#include <stdbool.h>
#include <stddef.h>

/* The folder of a pod's service account. */
#define KUBE_SERVICE_ACCOUNT_FOLDER "/var/run/secrets/kubernetes.io/serviceaccount"

/* The size limit of a kubeconfig, a token file and a certificate file. */
#define KUBE_FILE_BYTES_MAX ((size_t)1024 * 1024)

/* Some content, or the path of a file with it. Both may be empty. */
struct kube_material {
    struct secret content;
    char *path;
};

/* The struct owns its strings, which are NULL if they are not set. */
struct kube_config {
    char *server; /* https://HOST:PORT/PATH, or http://; lower case before the colon, no slash at the end */
    char *tls_server_name; /* only for https:// */
    char *proxy_url;
    char *namespace;
    struct kube_material ca; /* PEM; empty: the system's CAs */
    struct kube_material token;
    struct kube_material certificate; /* PEM, with its chain */
    struct kube_material key;         /* PEM */
    bool insecure_skip_tls_verify;
};

/*
 * Reads the environment of a pod: KUBERNETES_SERVICE_HOST and _PORT, and the token, ca.crt and namespace in
 * `folder` (NULL: KUBE_SERVICE_ACCOUNT_FOLDER). Returns -1 and sets the error outside of a pod, or if no
 * token is mounted.
 */
int kube_config_in_cluster(struct kube_config *config, const char *folder, struct error *error);

/*
 * Reads a kubeconfig from its text. Relative paths in it start at the folder of `path`, which is not opened
 * and may be NULL. `context` NULL means current-context. Sets `line` and `column` of an error; the caller
 * adds the file's name.
 */
int kube_config_read(
    struct kube_config *config, struct slice yaml, const char *path, const char *context,
    struct error *error);

/* Reads a file, for servers: does not wait for the writer of a pipe. The error names the file. */
int kube_config_read_file(
    struct kube_config *config, const char *path, const char *context, struct error *error);

/* Reads a file, for people, who may pass the output of a program: waits for the writer of a pipe. */
int kube_config_await_file(
    struct kube_config *config, const char *path, const char *context, struct error *error);

/* An independent copy. Returns -1 if memory runs out; `copy` is then empty. */
int kube_config_copy(struct kube_config *copy, const struct kube_config *config, struct error *error);

/* Overwrites and frees everything that it owns. Accepts an empty one. */
void kube_config_release(struct kube_config *config);

#endif

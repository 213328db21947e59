#include "kube/config.h"
#include "kube/material.h"

#include <stdio.h>
#include <stdlib.h>

/* Kubernetes sets addresses, with IPv6 lacking the brackets that a URL needs. */
static char *server_url(const char *host, const char *port)
{
    char *url = NULL;
    bool needs_brackets = strchr(host, ':') && host[0] != '[';
    int length = asprintf(&url, needs_brackets ? "https://[%s]:%s" : "https://%s:%s", host, port);
    return length < 0 ? NULL : url;
}

static char *path_in(const char *folder, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Some pods lack the file, and some callers do not need it. */
static int read_namespace(struct kube_config *config, const char *folder, struct error *error)
{
    struct secret content;
    struct slice name;
    struct error problem = {0};
    char *path = path_in(folder, "namespace");
    int result = path ? kube_file_read(path, &content, &problem) : 0;
    free(path);
    if (!path)
        return error_set_out_of_memory(error);
    if (result != 0)
        return problem.is_out_of_memory ? error_set_out_of_memory(error) : 0;
    bool is_name = kube_token_trim(secret_slice(&content), &name);
    if (is_name)
        config->namespace = strndup(name.bytes, name.length);
    secret_free(&content);
    return is_name && !config->namespace ? error_set_out_of_memory(error) : 0;
}

static int check_token(const struct kube_config *config, struct error *error)
{
    struct secret content;
    struct slice token;
    struct error problem = {0};
    if (kube_file_read(config->token.path, &content, &problem) != 0)
        return error_set(
            error, "%s; the pod needs a service account token (automountServiceAccountToken)",
            problem.message);
    bool is_token = kube_token_trim(secret_slice(&content), &token);
    secret_free(&content);
    return is_token ? 0 : error_set(error, "%s holds no token", config->token.path);
}

static int fill(struct kube_config *config, const char *folder, struct error *error)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    const char *port = getenv("KUBERNETES_SERVICE_PORT");
    if (!host || !*host || !port || !*port)
        return error_set(
            error, "this is not a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
    config->server = server_url(host, port);
    config->ca.path = path_in(folder, "ca.crt");
    config->token.path = path_in(folder, "token");
    if (!config->server || !config->ca.path || !config->token.path)
        return error_set_out_of_memory(error);
    if (check_token(config, error) != 0)
        return -1;
    return read_namespace(config, folder, error);
}

int kube_config_in_cluster(struct kube_config *config, const char *folder, struct error *error)
{
    *config = (struct kube_config){0};
    if (fill(config, folder ? folder : KUBE_SERVICE_ACCOUNT_FOLDER, error) == 0)
        return 0;
    kube_config_release(config);
    return -1;
}

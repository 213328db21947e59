#include "cli/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* kubectl would merge several. */
static int read_variable(
    struct kube_config *config, const char *variable, const char *context, struct error *error)
{
    if (strchr(variable, ':'))
        return error_set(error, "KUBECONFIG names several files; name one with --kubeconfig");
    return kube_config_read_file(config, variable, context, error);
}

static int read_pod(struct kube_config *config, struct error *error)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    if (host && *host)
        return kube_config_in_cluster(config, NULL, error);
    return error_set(error, "which cluster? There is no ~/.kube/config; name a file with --kubeconfig");
}

static int read_default(struct kube_config *config, const char *context, struct error *error)
{
    const char *home = getenv("HOME");
    char *path = NULL;
    if (asprintf(&path, "%s/.kube/config", home ? home : "") < 0)
        return error_set(error, "out of memory");
    int result = home && access(path, F_OK) == 0 ? kube_config_read_file(config, path, context, error)
                                                 : read_pod(config, error);
    free(path);
    return result;
}

struct kube_client *cluster_connect(const char *kubeconfig, const char *context, struct error *error)
{
    struct kube_config config;
    const char *variable = getenv("KUBECONFIG");
    int result;
    if (kube_library_init(error) != 0)
        return NULL;
    if (kubeconfig)
        result = kube_config_read_file(&config, kubeconfig, context, error);
    else if (variable && *variable)
        result = read_variable(&config, variable, context, error);
    else
        result = read_default(&config, context, error);
    if (result != 0)
        return NULL;
    config.exec.is_allowed = true;
    struct kube_client *client = kube_client_create(&config, error);
    kube_config_release(&config);
    return client;
}

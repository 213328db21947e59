#include "kube/api_client.h"

#include "certs/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int read_kubeconfig(struct kube_config *config, const char *path, struct error *error)
{
    struct error problem = {0};
    if (kube_config_read_file(config, path, NULL, &problem) == 0)
        return 0;
    return error_set(error, "--kubeconfig: %s", problem.message);
}

struct kube_client *api_client_connect(const char *kubeconfig_path, struct error *error)
{
    struct kube_config config = {0};
    if (kube_library_init(error) != 0)
        return NULL;
    int result = kubeconfig_path ? read_kubeconfig(&config, kubeconfig_path, error)
                                 : kube_config_in_cluster(&config, NULL, error);
    struct kube_client *client = result == 0 ? kube_client_create(&config, error) : NULL;
    kube_config_release(&config);
    return client;
}

static int read_pod(struct kube_config *config, struct error *error)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    if (host && *host)
        return kube_config_in_cluster(config, NULL, error);
    return error_set(error, "which cluster? There is no ~/.kube/config; name a file with --kubeconfig");
}

/* A file whose status cannot be read may exist, and name another cluster than the pod's. */
static int read_default(struct kube_config *config, const char *context, struct error *error)
{
    const char *home = getenv("HOME");
    char *path = NULL;
    if (asprintf(&path, "%s/.kube/config", home ? home : "") < 0)
        return error_set_out_of_memory(error);
    bool is_absent = !home || (access(path, F_OK) != 0 && errno == ENOENT);
    int result = is_absent ? read_pod(config, error) : kube_config_await_file(config, path, context, error);
    free(path);
    return result;
}

static int find_config(struct kube_config *config, const char *path, const char *context, struct error *error)
{
    const char *variable = getenv("KUBECONFIG");
    if (!path && variable && *variable)
        path = variable;
    if (!path)
        return read_default(config, context, error);
    if (path == variable && strchr(path, ':'))
        return error_set(error, "KUBECONFIG names several files; name one of them with --kubeconfig");
    return kube_config_await_file(config, path, context, error);
}

struct kube_client *api_client_find(const char *kubeconfig_path, const char *context, struct error *error)
{
    struct kube_config config = {0};
    memory_protect();
    if (kube_library_init(error) != 0)
        return NULL;
    int result = find_config(&config, kubeconfig_path, context, error);
    struct kube_client *client = result == 0 ? kube_client_create(&config, error) : NULL;
    kube_config_release(&config);
    return client;
}

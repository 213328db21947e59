#include "webhook/api_client.h"

#include "kube/material.h"

static int read_kubeconfig(struct kube_config *config, const char *path, struct error *error)
{
    struct secret content;
    struct error problem = {0};
    if (kube_file_read(path, &content, &problem) != 0)
        return error_set(error, "--kubeconfig: %s", problem.message);
    struct slice yaml = {content.bytes, content.length};
    int result = kube_config_read(config, yaml, path, NULL, &problem);
    secret_free(&content);
    if (result == 0)
        return 0;
    if (problem.line)
        return error_set(
            error, "--kubeconfig %s:%u:%u: %s", path, problem.line, problem.column, problem.message);
    return error_set(error, "--kubeconfig %s: %s", path, problem.message);
}

struct kube_client *api_client_connect(const char *kubeconfig_path, struct error *error)
{
    struct kube_config config = {0};
    int result = kubeconfig_path ? read_kubeconfig(&config, kubeconfig_path, error)
                                 : kube_config_in_cluster(&config, NULL, error);
    struct kube_client *client = result == 0 ? kube_client_create(&config, error) : NULL;
    kube_config_release(&config);
    return client;
}

#include "kube/api_client.h"

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

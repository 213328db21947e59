#include "kube/config.h"

#include <stdlib.h>

static void release_material(struct kube_material *material)
{
    secret_free(&material->content);
    free(material->path);
}

void kube_config_release(struct kube_config *config)
{
    free(config->server);
    free(config->tls_server_name);
    free(config->proxy_url);
    free(config->namespace);
    release_material(&config->ca);
    release_material(&config->token);
    release_material(&config->certificate);
    release_material(&config->key);
    *config = (struct kube_config){0};
}

static bool copy_string(char **copy, const char *string)
{
    *copy = string ? strdup(string) : NULL;
    return *copy || !string;
}

static bool copy_material(struct kube_material *copy, const struct kube_material *material)
{
    if (!copy_string(&copy->path, material->path))
        return false;
    if (!material->content.bytes)
        return true;
    copy->content = secret_allocate(material->content.length);
    if (!copy->content.bytes)
        return false;
    memcpy(copy->content.bytes, material->content.bytes, copy->content.length);
    return true;
}

int kube_config_copy(struct kube_config *copy, const struct kube_config *config, struct error *error)
{
    *copy = (struct kube_config){.insecure_skip_tls_verify = config->insecure_skip_tls_verify};
    bool done = copy_string(&copy->server, config->server) &&
        copy_string(&copy->tls_server_name, config->tls_server_name) &&
        copy_string(&copy->proxy_url, config->proxy_url) &&
        copy_string(&copy->namespace, config->namespace) && copy_material(&copy->ca, &config->ca) &&
        copy_material(&copy->token, &config->token) &&
        copy_material(&copy->certificate, &config->certificate) && copy_material(&copy->key, &config->key);
    if (done)
        return 0;
    kube_config_release(copy);
    return error_set_out_of_memory(error);
}

#include "kube/config.h"

#include <openssl/crypto.h>
#include <stdlib.h>

static void release_material(struct kube_material *material)
{
    secret_free(&material->content);
    free(material->path);
}

/* An environment may hold a password. */
static void release_strings(struct kube_strings *strings)
{
    for (size_t i = 0; i < strings->count; i++) {
        OPENSSL_cleanse(strings->items[i], strlen(strings->items[i]));
        free(strings->items[i]);
    }
    free((void *)strings->items);
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
    free(config->exec.command);
    free(config->exec.api_version);
    free(config->exec.install_hint);
    free(config->exec.cluster_config);
    release_strings(&config->exec.arguments);
    release_strings(&config->exec.environment);
    release_strings(&config->impersonation);
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

static bool copy_strings(struct kube_strings *copy, const struct kube_strings *strings)
{
    if (strings->count == 0)
        return true;
    copy->items = (char **)calloc(strings->count, sizeof(*copy->items));
    if (!copy->items)
        return false;
    for (size_t i = 0; i < strings->count; i++, copy->count++)
        if (!copy_string(&copy->items[i], strings->items[i]))
            return false;
    return true;
}

static bool copy_exec(struct kube_exec *copy, const struct kube_exec *exec)
{
    copy->interaction = exec->interaction;
    copy->provides_cluster = exec->provides_cluster;
    copy->is_allowed = exec->is_allowed;
    return copy_string(&copy->command, exec->command) && copy_string(&copy->api_version, exec->api_version) &&
        copy_string(&copy->install_hint, exec->install_hint) &&
        copy_string(&copy->cluster_config, exec->cluster_config) &&
        copy_strings(&copy->arguments, &exec->arguments) &&
        copy_strings(&copy->environment, &exec->environment);
}

int kube_config_copy(struct kube_config *copy, const struct kube_config *config, struct error *error)
{
    *copy = (struct kube_config){.insecure_skip_tls_verify = config->insecure_skip_tls_verify};
    bool done = copy_string(&copy->server, config->server) &&
        copy_string(&copy->tls_server_name, config->tls_server_name) &&
        copy_string(&copy->proxy_url, config->proxy_url) &&
        copy_string(&copy->namespace, config->namespace) && copy_material(&copy->ca, &config->ca) &&
        copy_material(&copy->token, &config->token) &&
        copy_material(&copy->certificate, &config->certificate) && copy_material(&copy->key, &config->key) &&
        copy_exec(&copy->exec, &config->exec) && copy_strings(&copy->impersonation, &config->impersonation);
    if (done)
        return 0;
    kube_config_release(copy);
    return error_set(error, "out of memory");
}

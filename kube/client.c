#include "kube/client.h"

#include "base/dns.h"
#include "kube/client_state.h"
#include "kube/printable.h"
#include "kube/proxy.h"

#include <stdlib.h>

/* A token is sent only over an encrypted connection. */
static int check_token_is_safe(const struct kube_config *config, struct error *error)
{
    if (kube_material_is_empty(&config->token) || strncmp(config->server, "https://", 8) == 0)
        return 0;
    struct kube_printable server = kube_printable(slice_of(config->server));
    return error_set(error, "%s is not encrypted: anybody on the network could read the token", server.text);
}

/* The proxy's URL may contain a password, so it is not printed. */
static int check_proxy(const struct kube_config *config, struct error *error)
{
    const char *variable = strncmp(config->server, "https://", 8) == 0 ? "HTTPS_PROXY" : "HTTP_PROXY";
    if (kube_is_proxy(kube_proxy_of(config)))
        return 0;
    return error_set(
        error,
        "%s is not the URL of a proxy, such as http://10.0.0.1:3128; if it holds a user name or password, "
        "write @, :, /, ? and # in them as %%40, %%3A, %%2F, %%3F and %%23",
        config->proxy_url ? "proxy-url" : variable);
}

static int check(const struct kube_config *config, struct error *error)
{
    return check_proxy(config, error) != 0 ? -1 : check_token_is_safe(config, error);
}

/* Reads the files now, so that a missing one is reported before anything depends on it. */
static int fill(struct kube_client *client, const struct kube_config *config, struct error *error)
{
    if (kube_config_copy(&client->config, config, error) != 0)
        return -1;
    client->multi = curl_multi_init();
    if (!client->multi)
        return error_set_out_of_memory(error);
    return kube_credentials_refresh(&client->credentials, &client->config, error);
}

struct kube_client *kube_client_create(const struct kube_config *config, struct error *error)
{
    if (check(config, error) != 0)
        return NULL;
    struct kube_client *client = calloc(1, sizeof(*client));
    if (!client) {
        error_set_out_of_memory(error);
        return NULL;
    }
    atomic_init(&client->is_stopped, false);
    if (fill(client, config, error) == 0)
        return client;
    kube_client_free(client);
    return NULL;
}

void kube_client_free(struct kube_client *client)
{
    if (!client)
        return;
    while (client->pending)
        kube_cancel(client->pending);
    curl_multi_cleanup(client->multi);
    kube_credentials_release(&client->credentials);
    kube_config_release(&client->config);
    free(client);
}

void kube_client_stop(struct kube_client *client)
{
    atomic_store(&client->is_stopped, true);
    curl_multi_wakeup(client->multi);
}

const char *kube_namespace(const struct kube_client *client)
{
    return client->config.namespace;
}

bool kube_is_name(const char *name)
{
    return dns_is_subdomain(slice_of(name));
}

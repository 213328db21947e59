/*
 * Whatever a kubeconfig holds: it is refused with a reason, or it is a way to an API
 * server: an URL of http or https, texts without NUL, and a copy that is the same. No file is read.
 */
#include "fuzz.h"
#include "kube/config.h"
#include "tests/fuzz/printable.h"

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_material(const struct kube_material *a, const struct kube_material *b)
{
    return same_text(a->path, b->path) && slice_equal(secret_slice(&a->content), secret_slice(&b->content));
}

static bool same_config(const struct kube_config *a, const struct kube_config *b)
{
    return same_text(a->server, b->server) && same_text(a->tls_server_name, b->tls_server_name) &&
        same_text(a->proxy_url, b->proxy_url) && same_text(a->namespace, b->namespace) &&
        same_material(&a->ca, &b->ca) && same_material(&a->token, &b->token) &&
        same_material(&a->certificate, &b->certificate) && same_material(&a->key, &b->key) &&
        a->insecure_skip_tls_verify == b->insecure_skip_tls_verify;
}

static void check_copy(const struct kube_config *config)
{
    struct error error = {0};
    struct kube_config copy;
    promise(kube_config_copy(&copy, config, &error) == 0, "there is memory");
    promise(same_config(config, &copy), "a copy is the same");
    kube_config_release(&copy);
}

static void check_config(const struct kube_config *config)
{
    promise(config->server != NULL, "there is a server");
    promise(
        strncasecmp(config->server, "https://", 8) == 0 || strncasecmp(config->server, "http://", 7) == 0,
        "a server is one of HTTP");
    promise(config->server[strlen(config->server) - 1] != '/', "a server ends without a slash");
    check_printable(slice_of(config->server), 0);
    check_copy(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const contexts[] = {NULL, "b"};
    const struct slice text = {(const char *)data, size};
    for (size_t i = 0; i < 2; i++) {
        struct error error = {0};
        struct kube_config config;
        if (kube_config_read(&config, text, "/etc/kube/config", contexts[i], &error) == 0) {
            check_config(&config);
        } else {
            promise(error.message[0] != '\0', "a refusal says why");
            check_printable(slice_of(error.message), 0);
            promise(config.server == NULL, "of what is refused nothing is left");
        }
        kube_config_release(&config);
    }
    return 0;
}

#include "cli/serve_certs.h"

#include "base/dns.h"
#include "certs/names.h"

#include <stdlib.h>
#include <string.h>

const char *serve_certs_add_configuration(struct serve_certs *certs, const char *name)
{
    struct issuer_settings *issuer = certs->issuer;
    if (!kube_is_name(name))
        return "is no name of an object";
    if (issuer->configuration_count == ISSUER_CONFIGURATIONS_MAX)
        return "is one configuration too many";
    issuer->configurations[issuer->configuration_count++] = name;
    return NULL;
}

static const char *add_name(
    struct serve_certs *certs, int (*add)(GENERAL_NAMES *, const char *, struct error *), const char *name)
{
    if (!certs->names)
        certs->names = names_create(&certs->error);
    if (certs->names && add(certs->names, name, &certs->error) == 0)
        return NULL;
    return certs->error.message;
}

const char *serve_certs_add_dns(struct serve_certs *certs, const char *name)
{
    return add_name(certs, names_add_dns, name);
}

const char *serve_certs_add_ip(struct serve_certs *certs, const char *address)
{
    return add_name(certs, names_add_ip, address);
}

static const char *finish_files(
    const struct serve_certs *certs, const struct settings *settings, const char **flag)
{
    bool is_begun = certs->service || certs->names || certs->issuer->configuration_count;
    *flag = is_begun ? "--certs-secret" : settings->tls.cert_path ? "--tls-key" : "--tls-cert";
    return is_begun || !settings->tls.cert_path || !settings->tls.key_path ? "is missing" : NULL;
}

static const char *set_secret(struct serve_certs *certs)
{
    const char *slash = strchr(certs->secret, '/');
    certs->namespace = slash ? strndup(certs->secret, (size_t)(slash - certs->secret)) : NULL;
    if (!certs->namespace || !kube_is_name(certs->namespace) || !kube_is_name(slash + 1))
        return "is not NAMESPACE/NAME";
    certs->issuer->namespace = certs->namespace;
    certs->issuer->secret = slash + 1;
    return NULL;
}

static const char *set_service(struct serve_certs *certs)
{
    if (!dns_is_label(slice_of(certs->service)))
        return "is no name of a Service; write one like applyguard";
    if (!certs->names)
        certs->names = names_create(&certs->error);
    if (certs->names && names_add_service(certs->names, certs->service, certs->namespace, &certs->error) == 0)
        return NULL;
    return certs->error.message;
}

/* A shorter validity would end before clients had time to learn the next certificate. */
static const char *check_lives(const struct issuer_settings *issuer, const char **flag)
{
    *flag = "--certs-leaf-validity";
    if (issuer->leaf_seconds / 3 < issuer->soak_seconds)
        return "is less than three times --certs-soak";
    *flag = "--certs-ca-validity";
    return issuer->authority_seconds / 3 < issuer->leaf_seconds
        ? "is less than three times --certs-leaf-validity"
        : NULL;
}

const char *serve_certs_finish(struct serve_certs *certs, const struct settings *settings, const char **flag)
{
    if (!certs->secret)
        return finish_files(certs, settings, flag);
    *flag = settings->tls.cert_path ? "--tls-cert" : "--tls-key";
    if (settings->tls.cert_path || settings->tls.key_path)
        return "and --certs-secret exclude one another";
    *flag = "--certs-secret";
    const char *wrong = set_secret(certs);
    if (wrong)
        return wrong;
    *flag = "--certs-service";
    if (!certs->service && !certs->names)
        return "is missing: by which name does the API server call?";
    wrong = certs->service ? set_service(certs) : NULL;
    if (wrong)
        return wrong;
    certs->issuer->names = certs->names;
    return check_lives(certs->issuer, flag);
}

void serve_certs_release(struct serve_certs *certs)
{
    GENERAL_NAMES_free(certs->names);
    free(certs->namespace);
}

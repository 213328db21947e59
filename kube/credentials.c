#include "kube/credentials.h"

#include "certs/bundle.h"
#include "kube/exec.h"
#include "kube/material.h"
#include "kube/printable.h"

#include <time.h>

void kube_credentials_release(struct kube_credentials *credentials)
{
    secret_free(&credentials->ca);
    secret_free(&credentials->certificate);
    secret_free(&credentials->key);
    secret_free(&credentials->token);
    *credentials = (struct kube_credentials){0};
}

/* "the certificate authority in FILE: what is wrong". */
static int refuse(const char *what, const char *path, const struct error *problem, struct error *error)
{
    struct kube_printable name = kube_printable(slice_of(path ? path : ""));
    return error_set(error, "%s%s%s: %s", what, path ? " in " : "", name.text, problem->message);
}

static int read_certificates(
    const char *what, const struct kube_material *material, struct secret *current, struct error *error)
{
    struct error problem = {0};
    bool is_new;
    if (kube_material_read(material, current, &is_new, error) != 0)
        return -1;
    if (!is_new)
        return 0;
    STACK_OF(X509) *certificates = bundle_parse(secret_slice(current), &problem);
    bundle_free(certificates);
    if (certificates)
        return 0;
    secret_free(current);
    return refuse(what, material->path, &problem, error);
}

static int read_key(const struct kube_material *material, struct secret *current, struct error *error)
{
    struct error problem = {0};
    bool is_new;
    if (kube_material_read(material, current, &is_new, error) != 0)
        return -1;
    if (!is_new)
        return 0;
    EVP_PKEY *key = key_parse(secret_slice(current), &problem);
    EVP_PKEY_free(key);
    if (key)
        return 0;
    secret_free(current);
    return refuse("the client key", material->path, &problem, error);
}

/* In place: the blanks around it go to its end, and are forgotten there. */
static int trim_token(const char *what, struct secret *current, struct error *error)
{
    struct slice token;
    if (!kube_token_trim(secret_slice(current), &token)) {
        secret_free(current);
        return error_set(error, "the token%s is empty, or holds what no token does", what);
    }
    memmove(current->bytes, token.bytes, token.length);
    memset(current->bytes + token.length, 0, current->length - token.length);
    current->length = token.length;
    return 0;
}

static int read_token(const struct kube_material *material, struct secret *current, struct error *error)
{
    bool is_new;
    if (kube_material_read(material, current, &is_new, error) != 0)
        return -1;
    if (!is_new)
        return 0;
    struct kube_printable name = kube_printable(slice_of(material->path ? material->path : ""));
    char what[sizeof(name.text) + 8] = "";
    if (material->path)
        snprintf(what, sizeof(what), " in %s", name.text);
    return trim_token(what, current, error);
}

static void move_secret(struct secret *target, struct secret *source)
{
    secret_free(target);
    *target = *source;
    *source = (struct secret){0};
}

static int run_plugin(
    struct kube_credentials *credentials, const struct kube_config *config, const atomic_bool *is_stopped,
    struct error *error)
{
    struct kube_exec_credential given;
    if (kube_exec_run(config, &credentials->ca, is_stopped, &given, error) != 0)
        return -1;
    if (given.token.bytes && trim_token(" of the exec plugin", &given.token, error) != 0) {
        kube_exec_credential_release(&given);
        return -1;
    }
    move_secret(&credentials->token, &given.token);
    move_secret(&credentials->certificate, &given.certificate);
    move_secret(&credentials->key, &given.key);
    credentials->expires_at = given.expires_at;
    credentials->has_run = true;
    return 0;
}

static bool needs_plugin(const struct kube_credentials *credentials, bool is_refused)
{
    bool is_expired = credentials->expires_at && time(NULL) >= credentials->expires_at;
    return !credentials->has_run || is_refused || is_expired;
}

int kube_credentials_refresh(
    struct kube_credentials *credentials, const struct kube_config *config, bool is_refused,
    const atomic_bool *is_stopped, struct error *error)
{
    if (read_certificates("the certificate authority", &config->ca, &credentials->ca, error) != 0)
        return -1;
    if (config->exec.command)
        return needs_plugin(credentials, is_refused) ? run_plugin(credentials, config, is_stopped, error) : 0;
    if (read_certificates("the client certificate", &config->certificate, &credentials->certificate, error) !=
            0 ||
        read_key(&config->key, &credentials->key, error) != 0)
        return -1;
    return read_token(&config->token, &credentials->token, error);
}

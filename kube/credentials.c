#include "kube/credentials.h"

#include "certs/bundle.h"
#include "kube/material.h"
#include "kube/printable.h"

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

/* In place: the white space around the token moves to the end, outside of its length. */
static int trim_token(const char *path, struct secret *current, struct error *error)
{
    struct slice token;
    struct kube_printable name = kube_printable(slice_of(path ? path : ""));
    if (!kube_token_trim(secret_slice(current), &token)) {
        secret_free(current);
        return error_set(
            error, "the token%s%s is empty, or contains characters that tokens never have",
            path ? " in " : "", name.text);
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
    return trim_token(material->path, current, error);
}

int kube_credentials_refresh(
    struct kube_credentials *credentials, const struct kube_config *config, struct error *error)
{
    if (read_certificates("the certificate authority", &config->ca, &credentials->ca, error) != 0 ||
        read_certificates("the client certificate", &config->certificate, &credentials->certificate, error) !=
            0 ||
        read_key(&config->key, &credentials->key, error) != 0)
        return -1;
    return read_token(&config->token, &credentials->token, error);
}

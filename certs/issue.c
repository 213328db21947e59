#include "certs/issue.h"

#include "certs/bundle.h"

#include <stdlib.h>

int issue_authority(
    const struct issue_options *options, const char *name, int64_t now, struct authority *authority,
    struct error *error)
{
    *authority = (struct authority){.key = key_generate(options->key_kind, error)};
    if (authority->key)
        authority->certificate =
            authority_issue(authority->key, name, now, options->authority_seconds, error);
    if (authority->certificate)
        return 0;
    authority_release(authority);
    return -1;
}

int issue_write_key(
    const struct directory *directory, const char *name, const EVP_PKEY *key, struct error *error)
{
    struct secret pem;
    if (key_print(key, &pem, error) != 0)
        return -1;
    int result = directory_write(directory, name, 0600, (struct slice){pem.bytes, pem.length}, error);
    secret_free(&pem);
    return result;
}

static int write_certificates(
    const struct directory *directory, const char *name, const STACK_OF(X509) * certificates,
    struct error *error)
{
    struct pem_text pem;
    if (bundle_print(certificates, &pem, error) != 0)
        return -1;
    int result = directory_write(directory, name, 0644, (struct slice){pem.bytes, pem.length}, error);
    free(pem.bytes);
    return result;
}

static int write_list(
    const struct directory *directory, const char *name, X509 *const *certificates, size_t count,
    struct error *error)
{
    STACK_OF(X509) *list = sk_X509_new_null();
    for (size_t i = 0; list && i < count; i++)
        if (certificates[i] && sk_X509_push(list, certificates[i]) <= 0) {
            sk_X509_free(list);
            list = NULL;
        }
    int result = list ? write_certificates(directory, name, list, error) : error_set_out_of_memory(error);
    sk_X509_free(list);
    return result;
}

int issue_write_bundle(
    const struct directory *directory, X509 *const *authorities, size_t count, struct error *error)
{
    return write_list(directory, CERTS_CA, authorities, count, error);
}

int issue_leaf(
    const struct directory *directory, const struct issue_options *options, const struct authority *authority,
    GENERAL_NAMES *names, int64_t now, int64_t *not_after, struct error *error)
{
    struct validity validity = {0};
    EVP_PKEY *key = key_generate(options->key_kind, error);
    X509 *leaf = key ? leaf_issue(authority, key, names, now, options->leaf_seconds, error) : NULL;
    bool done = leaf && issue_write_key(directory, CERTS_TLS_KEY, key, error) == 0 &&
        write_list(directory, CERTS_TLS, &leaf, 1, error) == 0;
    if (done && validity_of(leaf, &validity))
        *not_after = validity.not_after;
    X509_free(leaf);
    EVP_PKEY_free(key);
    return done ? 0 : -1;
}

/*
 * Whatever the Secret of the certificate authorities holds: it is refused with a reason, or its authorities
 * can sign, and are read as the same after they are written over the Secret or into a new one.
 */
#include "fuzz.h"
#include "issuer/authority_secret.h"
#include "tests/fuzz/printable.h"

#include <openssl/err.h>
#include <yyjson.h>

static bool same_certificate(const X509 *a, const X509 *b)
{
    return a && b ? X509_cmp(a, b) == 0 : a == b;
}

static bool same_key(const EVP_PKEY *a, const EVP_PKEY *b)
{
    return a && b ? EVP_PKEY_eq(a, b) == 1 : a == b;
}

static bool same_authority(const struct authority *a, const struct authority *b)
{
    return same_certificate(a->certificate, b->certificate) && same_key(a->key, b->key);
}

static void check_same(const struct authorities *a, const struct authorities *b)
{
    promise(same_authority(&a->current, &b->current), "the authority that signs is kept");
    promise(same_authority(&a->next, &b->next), "the next authority is kept");
    promise(same_certificate(a->previous, b->previous), "the previous authority is kept");
    promise(a->promoted_at == b->promoted_at, "the time when it began to sign is kept");
}

static void check_written(const struct authorities *authorities, struct slice stored)
{
    struct secret json;
    struct error error = {0};
    struct authorities again;
    if (authority_secret_write(authorities, stored, "applyguard", "ca", &json, &error) != 0)
        promise(false, "authorities that were read are written down");
    promise(authority_secret_read(secret_slice(&json), &again, &error) == 0, "what is written down is read");
    check_same(authorities, &again);
    authorities_release(&again);
    secret_free(&json);
}

static void check_usable(const struct authorities *authorities)
{
    const struct authority *current = &authorities->current;
    promise(current->certificate && current->key, "what is read can sign");
    promise(X509_check_private_key(current->certificate, current->key) == 1, "the key is the certificate's");
    promise(!authorities->next.certificate == !authorities->next.key, "the next one is whole, or not there");
    struct rotation_state state = authorities_state(authorities);
    promise(state.current.not_after != 0, "what is read has its times");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice json = {(const char *)data, size};
    struct authorities authorities;
    struct error error = {0};
    if (authority_secret_read(json, &authorities, &error) == 0) {
        check_usable(&authorities);
        check_written(&authorities, json);
        check_written(&authorities, (struct slice){0});
    } else {
        promise(error.message[0] != '\0', "a refusal says why");
        check_printable(slice_of(error.message), 0);
        promise(!authorities.current.certificate && !authorities.current.key, "nothing is left of it");
    }
    authorities_release(&authorities);
    promise(ERR_peek_error() == 0, "OpenSSL's queue of errors is empty afterwards");
    return 0;
}

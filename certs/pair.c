#include "certs/pair.h"

#include "certs/bundle.h"
#include "certs/certificate.h"
#include "certs/key.h"
#include "certs/memory.h"

#include <openssl/err.h>
#include <time.h>

void pair_release(struct pair *pair)
{
    X509_free(pair->leaf);
    bundle_free(pair->chain);
    EVP_PKEY_free(pair->key);
    *pair = (struct pair){0};
}

int pair_share(struct pair *copy, const struct pair *pair, struct error *error)
{
    *copy = *pair;
    copy->chain = pair->chain ? X509_chain_up_ref(pair->chain) : NULL;
    if (pair->chain && !copy->chain) {
        *copy = (struct pair){0};
        return error_set_out_of_memory(error);
    }
    if (pair->leaf)
        X509_up_ref(pair->leaf);
    if (pair->key)
        EVP_PKEY_up_ref(pair->key);
    return 0;
}

/* The limit for a certificate and its chain, far above any real one: each handshake sends all of them. */
#define CERTIFICATES_MAX 64

/* The fault of the source; without memory that is not known. */
static int refuse(size_t failures, const char *source, const char *problem, struct error *error)
{
    if (memory_failures() != failures)
        return error_set_out_of_memory(error);
    return error_set(error, "%s holds %s", source, problem);
}

static int parse_certificates(struct pair *pair, struct slice text, const char *source, struct error *error)
{
    size_t failures = memory_failures();
    pair->chain = bundle_parse(text, NULL);
    if (!pair->chain)
        return refuse(
            failures, source, "no whole certificate in PEM form; give the certificate and then its chain",
            error);
    if (sk_X509_num(pair->chain) > CERTIFICATES_MAX)
        return error_set(
            error, "%s holds more than %d certificates; give the certificate and then its chain", source,
            CERTIFICATES_MAX);
    pair->leaf = sk_X509_shift(pair->chain);
    if (!validity_of(pair->leaf, &pair->validity))
        return error_set(error, "%s holds a certificate without proper times", source);
    return 0;
}

static int parse_key(struct pair *pair, struct slice text, const char *source, struct error *error)
{
    size_t failures = memory_failures();
    pair->key = key_parse(text, NULL);
    if (!pair->key)
        return refuse(
            failures, source, "no private key in PEM form, or one with a passphrase; give one without",
            error);
    return 0;
}

int pair_parse(
    struct pair *pair, struct slice certificates, const char *certificates_source, struct slice key,
    const char *key_source, struct error *error)
{
    *pair = (struct pair){0};
    if (parse_certificates(pair, certificates, certificates_source, error) != 0 ||
        parse_key(pair, key, key_source, error) != 0) {
        pair_release(pair);
        return -1;
    }
    size_t failures = memory_failures();
    bool matches = X509_check_private_key(pair->leaf, pair->key) == 1;
    ERR_clear_error();
    if (matches)
        return 0;
    pair_release(pair);
    if (memory_failures() != failures)
        return error_set_out_of_memory(error);
    return error_set(
        error, "the key in %s is not the key of the certificate in %s; give the pair", key_source,
        certificates_source);
}

int pair_check_time(const struct pair *pair, const char *source, int64_t now, struct error *error)
{
    bool is_early = now < pair->validity.not_before;
    time_t moment = (time_t)(is_early ? pair->validity.not_before : pair->validity.not_after);
    struct tm parts;
    char text[sizeof("YYYYYY-MM-DD HH:MM:SS UTC")];
    if (validity_covers(pair->validity, now))
        return 0;
    gmtime_r(&moment, &parts);
    strftime(text, sizeof(text), "%F %T UTC", &parts);
    return error_set(
        error, "the certificate in %s %s %s", source, is_early ? "is not valid before" : "expired on", text);
}

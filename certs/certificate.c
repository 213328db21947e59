#include "certs/certificate.h"

#include "certs/problem.h"

#include <openssl/rand.h>
#include <stdio.h>
#include <time.h>

#define X509_VERSION 2 /* counted from 0: version 3 */

/* RFC 5280 allows 20 bytes, read as a positive number. The highest bit set makes all equally long. */
#define SERIAL_BITS 159

/* ub-common-name of RFC 5280. */
#define COMMON_NAME_BYTES_MAX 64

void authority_release(struct authority *authority)
{
    X509_free(authority->certificate);
    EVP_PKEY_free(authority->key);
    *authority = (struct authority){0};
}

static bool set_serial(X509 *certificate)
{
    BIGNUM *number = BN_new();
    bool done = number && BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
        BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return done;
}

static bool set_validity(X509 *certificate, struct validity validity)
{
    return ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)validity.not_before) &&
        ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)validity.not_after);
}

/* The time shows people which of two certificates is newer; the random part keeps two of the same second
 * apart. */
static bool set_authority_subject(X509 *certificate, const char *name, int64_t now)
{
    uint32_t number;
    char text[COMMON_NAME_BYTES_MAX + 1];
    if (RAND_bytes((unsigned char *)&number, sizeof(number)) != 1)
        return false;
    snprintf(text, sizeof(text), "%.32s@%lld-%08x", name, (long long)now, number);
    X509_NAME *subject = X509_get_subject_name(certificate);
    return X509_NAME_add_entry_by_NID(
               subject, NID_commonName, MBSTRING_UTF8, (const unsigned char *)text, -1, -1, 0) == 1;
}

struct extension {
    int nid;
    const char *value;
};

static const struct extension authority_extensions[] = {
    {NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
    {NID_key_usage, "critical,keyCertSign,cRLSign"},
    {NID_subject_key_identifier, "hash"},
    {NID_authority_key_identifier, "keyid:always"},
    {0, NULL},
};

static const struct extension leaf_extensions[] = {
    {NID_basic_constraints, "critical,CA:FALSE"},
    {NID_key_usage, "critical,digitalSignature"},
    {NID_ext_key_usage, "serverAuth"},
    {NID_subject_key_identifier, "hash"},
    {NID_authority_key_identifier, "keyid:always"},
    {0, NULL},
};

/* In the order of the table: the authority's own identifier refers to its subject's, which comes before. */
static bool add_extensions(X509 *certificate, X509 *issuer, const struct extension *extensions)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509V3_set_ctx_nodb(&context);
    for (; extensions->value; extensions++) {
        X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, extensions->nid, extensions->value);
        bool added = extension && X509_add_ext(certificate, extension, -1) == 1;
        X509_EXTENSION_free(extension);
        if (!added)
            return false;
    }
    return true;
}

static bool begin(X509 *certificate, EVP_PKEY *key, struct validity validity)
{
    return certificate && X509_set_version(certificate, X509_VERSION) == 1 && set_serial(certificate) &&
        set_validity(certificate, validity) && X509_set_pubkey(certificate, key) == 1;
}

static X509 *finish(X509 *certificate, bool is_whole, const char *what, struct error *error)
{
    if (is_whole)
        return certificate;
    X509_free(certificate);
    openssl_problem(error, what);
    return NULL;
}

static struct validity validity_from(int64_t now, int64_t lifetime)
{
    return (struct validity){now - BACKDATE_SECONDS, now + lifetime};
}

X509 *authority_issue(EVP_PKEY *key, const char *name, int64_t now, int64_t lifetime, struct error *error)
{
    X509 *certificate = X509_new();
    bool is_whole = begin(certificate, key, validity_from(now, lifetime)) &&
        set_authority_subject(certificate, name, now) &&
        X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1 &&
        add_extensions(certificate, certificate, authority_extensions) &&
        X509_sign(certificate, key, EVP_sha256()) > 0;
    return finish(certificate, is_whole, "cannot make a certificate authority", error);
}

/* The subject stays empty, as everybody goes by the names: then those are critical. */
X509 *leaf_issue(
    const struct authority *authority, EVP_PKEY *key, GENERAL_NAMES *names, int64_t now, int64_t lifetime,
    struct error *error)
{
    struct validity own = validity_from(now, lifetime), issuers;
    if (!validity_of(authority->certificate, &issuers) || !validity_covers(issuers, now)) {
        error_set(error, "the certificate authority is not valid now; make another");
        return NULL;
    }
    if (own.not_after > issuers.not_after)
        own.not_after = issuers.not_after;
    X509 *certificate = X509_new();
    bool is_whole = begin(certificate, key, own) &&
        X509_set_issuer_name(certificate, X509_get_subject_name(authority->certificate)) == 1 &&
        X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 1, X509V3_ADD_DEFAULT) == 1 &&
        add_extensions(certificate, authority->certificate, leaf_extensions) &&
        X509_sign(certificate, authority->key, EVP_sha256()) > 0;
    return finish(certificate, is_whole, "cannot make a certificate", error);
}

static bool seconds_of(const ASN1_TIME *time, int64_t *seconds)
{
    struct tm parts;
    if (ASN1_TIME_to_tm(time, &parts) != 1)
        return false;
    *seconds = timegm(&parts);
    return true;
}

bool validity_of(const X509 *certificate, struct validity *validity)
{
    return seconds_of(X509_get0_notBefore(certificate), &validity->not_before) &&
        seconds_of(X509_get0_notAfter(certificate), &validity->not_after);
}

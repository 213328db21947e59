/*
 * Whatever is in the files of certificates and keys: it is refused with a reason, or what is read of it is
 * printed as PEM that is read as the same, and its names and times can be asked for.
 */
#include "certs/bundle.h"
#include "certs/certificate.h"
#include "certs/key.h"
#include "certs/names.h"
#include "certs/pair.h"
#include "fuzz.h"
#include "tests/fuzz/printable.h"

#include <openssl/err.h>

static void check_certificate(const X509 *certificate)
{
    struct validity validity;
    if (validity_of(certificate, &validity))
        validity_renewal(validity, 12345);
    GENERAL_NAMES_free(names_of(certificate));
}

static void check_bundle(struct slice text)
{
    struct error error = {0};
    struct pem_text pem;
    STACK_OF(X509) *certificates = bundle_parse(text, &error);
    if (!certificates) {
        promise(error.message[0] != '\0', "a refusal says why");
        check_printable(slice_of(error.message), 0);
        return;
    }
    int count = sk_X509_num(certificates);
    promise(count > 0 && count <= BUNDLE_MAX, "a bundle holds some certificates");
    promise(bundle_print(certificates, &pem, &error) == 0, "what is read is printed");
    STACK_OF(X509) *again = bundle_parse((struct slice){pem.bytes, pem.length}, &error);
    promise(again && sk_X509_num(again) == count, "what is printed is read again");
    for (int i = 0; i < count; i++) {
        check_certificate(sk_X509_value(certificates, i));
        promise(
            X509_cmp(sk_X509_value(certificates, i), sk_X509_value(again, i)) == 0,
            "what is printed is the same");
    }
    bundle_free(again);
    bundle_free(certificates);
    free(pem.bytes);
}

static void check_key(struct slice text)
{
    struct error error = {0};
    struct secret pem;
    EVP_PKEY *key = key_parse(text, &error);
    if (!key) {
        promise(error.message[0] != '\0', "a refusal says why");
        return;
    }
    if (key_print(key, &pem, &error) == 0) {
        EVP_PKEY *again = key_parse(secret_slice(&pem), &error);
        promise(again && EVP_PKEY_eq(key, again) == 1, "a key that is printed is the same");
        EVP_PKEY_free(again);
        secret_free(&pem);
    }
    EVP_PKEY_free(key);
}

/* Certificate and key out of one text, as some tools keep them. */
static void check_pair(struct slice text)
{
    struct error error = {0};
    struct pair pair;
    if (pair_parse(&pair, text, "tls.crt", text, "tls.key", &error) == 0) {
        promise(X509_check_private_key(pair.leaf, pair.key) == 1, "the key is the certificate's");
        pair_check_time(&pair, "tls.crt", 1800000000, &error);
    } else {
        promise(!pair.leaf && !pair.chain && !pair.key, "nothing is left of what is refused");
        promise(error.message[0] != '\0', "a refusal says why");
    }
    check_printable(slice_of(error.message), 0);
    pair_release(&pair);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice text = {(const char *)data, size};
    check_bundle(text);
    check_key(text);
    check_pair(text);
    promise(ERR_peek_error() == 0, "OpenSSL's queue of errors is empty afterwards");
    return 0;
}

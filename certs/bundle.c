#include "certs/bundle.h"

#include "certs/memory.h"
#include "certs/problem.h"

#include <limits.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdlib.h>

void bundle_free(STACK_OF(X509) * certificates)
{
    sk_X509_pop_free(certificates, X509_free);
}

static bool read_all(BIO *bio, STACK_OF(X509) * certificates)
{
    X509 *certificate;
    while ((certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL)))
        if (sk_X509_num(certificates) >= BUNDLE_MAX || sk_X509_push(certificates, certificate) <= 0) {
            X509_free(certificate);
            return false;
        }
    /* The end of the text shows as this error; any other is a broken certificate. */
    return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE && sk_X509_num(certificates) > 0;
}

/*
 * OpenSSL reads the extensions when they are first asked for. If they are broken, it leaves an error in its
 * queue, which the next caller would take for its own. So they are read now.
 */
static void read_extensions(STACK_OF(X509) * certificates)
{
    for (int i = 0; i < sk_X509_num(certificates); i++)
        X509_check_purpose(sk_X509_value(certificates, i), -1, 0);
}

STACK_OF(X509) * bundle_parse(struct slice pem, struct error *error)
{
    size_t failures = memory_failures();
    STACK_OF(X509) *certificates = sk_X509_new_null();
    BIO *bio = pem.length <= INT_MAX ? BIO_new_mem_buf(pem.bytes, (int)pem.length) : NULL;
    ERR_clear_error();
    bool is_whole = certificates && bio && read_all(bio, certificates);
    BIO_free(bio);
    if (is_whole)
        read_extensions(certificates);
    ERR_clear_error();
    if (is_whole)
        return certificates;
    if (memory_failures() != failures)
        error_set_out_of_memory(error);
    else if (sk_X509_num(certificates) == BUNDLE_MAX)
        error_set(error, "it holds more than %d certificates", BUNDLE_MAX);
    else
        error_set(error, "it holds no whole certificate in PEM form");
    bundle_free(certificates);
    return NULL;
}

static bool write_all(const STACK_OF(X509) * certificates, BIO *bio)
{
    for (int i = 0; i < sk_X509_num(certificates); i++)
        if (PEM_write_bio_X509(bio, sk_X509_value(certificates, i)) != 1)
            return false;
    return true;
}

static bool copy_out(BIO *bio, struct pem_text *pem)
{
    char *bytes = NULL;
    long length = BIO_get_mem_data(bio, &bytes);
    char *copy = length > 0 && bytes ? malloc((size_t)length) : NULL;
    if (!copy)
        return false;
    memcpy(copy, bytes, (size_t)length);
    *pem = (struct pem_text){copy, (size_t)length};
    return true;
}

int bundle_print(const STACK_OF(X509) * certificates, struct pem_text *pem, struct error *error)
{
    BIO *bio = BIO_new(BIO_s_mem());
    *pem = (struct pem_text){0};
    bool done = bio && write_all(certificates, bio) && copy_out(bio, pem);
    BIO_free(bio);
    return done ? 0 : openssl_problem(error, "cannot write certificates down");
}

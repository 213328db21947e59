#include "webhook/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct certificate {
    X509 *leaf;
    STACK_OF(X509) * chain;
    EVP_PKEY *key;
};

struct tls {
    SSL_CTX *context;
    struct certificate certificate;
};

static void certificate_free(struct certificate *certificate)
{
    X509_free(certificate->leaf);
    sk_X509_pop_free(certificate->chain, X509_free);
    EVP_PKEY_free(certificate->key);
}

/* A key with a passphrase must fail to load: the default is to ask for it on the terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *data)
{
    (void)buffer, (void)size, (void)writing, (void)data;
    return -1;
}

static FILE *open_file(const char *flag, const char *path, struct error *error)
{
    FILE *file = fopen(path, "re");
    if (!file)
        error_set(error, "cannot read %s (%s): %s", path, flag, strerror(errno));
    return file;
}

static bool read_chain(FILE *file, struct certificate *certificate)
{
    certificate->leaf = PEM_read_X509(file, NULL, no_passphrase, NULL);
    certificate->chain = sk_X509_new_null();
    if (!certificate->leaf || !certificate->chain)
        return false;
    X509 *issuer;
    while ((issuer = PEM_read_X509(file, NULL, no_passphrase, NULL)))
        if (!sk_X509_push(certificate->chain, issuer)) {
            X509_free(issuer);
            return false;
        }
    /* The end of the file shows as this error; any other is a broken certificate. */
    return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
}

static int load_certificate(const char *path, struct certificate *certificate, struct error *error)
{
    FILE *file = open_file("--tls-cert", path, error);
    if (!file)
        return -1;
    bool whole = read_chain(file, certificate);
    fclose(file);
    ERR_clear_error();
    if (!whole)
        return error_set(
            error,
            "%s (--tls-cert) holds no whole certificate in PEM form; give the certificate and then its chain",
            path);
    return 0;
}

static int load_key(const char *path, struct certificate *certificate, struct error *error)
{
    FILE *file = open_file("--tls-key", path, error);
    if (!file)
        return -1;
    certificate->key = PEM_read_PrivateKey(file, NULL, no_passphrase, NULL);
    fclose(file);
    ERR_clear_error();
    if (!certificate->key)
        return error_set(
            error,
            "%s (--tls-key) holds no private key in PEM form, or one with a passphrase; give one without",
            path);
    return 0;
}

static int certificate_load(
    const char *certificate_path, const char *key_path, struct certificate *certificate, struct error *error)
{
    if (load_certificate(certificate_path, certificate, error) != 0 ||
        load_key(key_path, certificate, error) != 0)
        return -1;
    bool matches = X509_check_private_key(certificate->leaf, certificate->key) == 1;
    ERR_clear_error();
    if (!matches)
        return error_set(
            error,
            "the key in %s (--tls-key) is not the key of the certificate in %s (--tls-cert); give the pair",
            key_path, certificate_path);
    return 0;
}

/* Called as each handshake begins, on the thread of its loop. */
static int use_certificate(SSL *ssl, void *data)
{
    const struct tls *tls = data;
    const struct certificate *certificate = &tls->certificate;
    return SSL_use_cert_and_key(ssl, certificate->leaf, certificate->key, certificate->chain, 1);
}

/* A client that offers only other protocols gets no answer to the question, and HTTP/1.1. */
static int select_protocol(
    SSL *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *offered,
    unsigned length, void *data)
{
    static const unsigned char ours[] = "\x08http/1.1";
    (void)ssl, (void)data;
    unsigned char *selected;
    if (SSL_select_next_proto(&selected, out_length, ours, sizeof(ours) - 1, offered, length) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *out = selected;
    return SSL_TLSEXT_ERR_OK;
}

/* As Go orders them: AES with 128 bits first, which is as safe here and costs less for large reviews. */
static const char ciphers_1_2[] = "ECDHE+AESGCM+AES128:ECDHE+AESGCM:ECDHE+CHACHA20";
static const char ciphers_1_3[] =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

static int context_setup(SSL_CTX *context)
{
    SSL_CTX_set_options(
        context,
        SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    /* Idle connections are the rule: without this each keeps 34 KB of buffers. */
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context, select_protocol, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
            SSL_CTX_set_num_tickets(context, 0) == 1 && SSL_CTX_set_cipher_list(context, ciphers_1_2) == 1 &&
            SSL_CTX_set_ciphersuites(context, ciphers_1_3) == 1
        ? 0
        : -1;
}

struct tls *tls_create(const char *certificate_path, const char *key_path, struct error *error)
{
    struct tls *tls = calloc(1, sizeof(*tls));
    if (!tls) {
        error_set(error, "out of memory");
        return NULL;
    }
    if (certificate_load(certificate_path, key_path, &tls->certificate, error) != 0) {
        tls_free(tls);
        return NULL;
    }
    tls->context = SSL_CTX_new(TLS_server_method());
    if (!tls->context || context_setup(tls->context) != 0) {
        error_set(
            error, "OpenSSL cannot be set up for TLS 1.2 and 1.3: %s",
            ERR_error_string(ERR_peek_last_error(), NULL));
        tls_free(tls);
        return NULL;
    }
    SSL_CTX_set_cert_cb(tls->context, use_certificate, tls);
    return tls;
}

void tls_free(struct tls *tls)
{
    if (!tls)
        return;
    SSL_CTX_free(tls->context);
    certificate_free(&tls->certificate);
    free(tls);
}

SSL_CTX *tls_context(const struct tls *tls)
{
    return tls->context;
}

long tls_seconds_left(const struct tls *tls)
{
    int days, seconds;
    if (ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(tls->certificate.leaf)) != 1)
        return -1;
    return days * 86400L + seconds;
}

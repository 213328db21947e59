#include "webhook/tls/tls.h"

#include "system/clock.h"
#include "webhook/tls/handshake_memory.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct tls {
    SSL_CTX *context;
    const struct tls_settings *settings;
    struct credentials_files files;
    pthread_mutex_t lock; /* guards the pointer `credentials`, not its target */
    struct credentials *credentials;
    atomic_ulong refused;
    atomic_int last_alert;
    struct handshakes handshakes;
};

static struct credentials *hold_credentials(struct tls *tls)
{
    pthread_mutex_lock(&tls->lock);
    struct credentials *credentials = credentials_hold(tls->credentials);
    pthread_mutex_unlock(&tls->lock);
    return credentials;
}

/* Call it under the lock. Returns the old credentials, which the caller must release. */
static struct credentials *exchange(struct tls *tls, struct credentials *credentials)
{
    struct credentials *old = tls->credentials;
    tls->credentials = credentials;
    return old;
}

/* A self-made pair is in no file: it stays when the files change. */
static int set_credentials(struct tls *tls, struct credentials *credentials, struct error *error)
{
    int result = 0;
    pthread_mutex_lock(&tls->lock);
    if (!tls->settings->cert_path)
        result = pair_share(&credentials->pair, &tls->credentials->pair, error);
    struct credentials *unused = result == 0 ? exchange(tls, credentials) : credentials;
    pthread_mutex_unlock(&tls->lock);
    credentials_release(unused);
    return result;
}

int tls_take_pair(struct tls *tls, struct pair *pair, struct error *error)
{
    pthread_mutex_lock(&tls->lock);
    struct credentials *credentials = credentials_with_pair(tls->credentials, pair);
    struct credentials *old = credentials ? exchange(tls, credentials) : NULL;
    pthread_mutex_unlock(&tls->lock);
    credentials_release(old);
    return credentials ? 0 : error_set_out_of_memory(error);
}

/* Called as each handshake begins, on the thread of its loop. The handshake holds its own reference. */
static int use_credentials(SSL *ssl, void *data)
{
    struct credentials *credentials = hold_credentials(data);
    const struct pair *pair = &credentials->pair;
    bool done = pair->leaf && SSL_use_cert_and_key(ssl, pair->leaf, pair->key, pair->chain, 1) == 1 &&
        (!credentials->clients || SSL_set1_verify_cert_store(ssl, credentials->clients) == 1);
    credentials_release(credentials);
    return done;
}

/*
 * Clients
 */

static bool is_named(X509 *client, const char *name)
{
    char common_name[256];
    int length = X509_NAME_get_text_by_NID(
        X509_get_subject_name(client), NID_commonName, common_name, sizeof(common_name));
    if (length > 0 && (size_t)length == strlen(name) && memcmp(common_name, name, (size_t)length) == 0)
        return true;
    return X509_check_host(
               client, name, strlen(name), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_WILDCARDS,
               NULL) == 1;
}

static bool may_ask(const struct tls_settings *settings, X509 *client)
{
    for (size_t i = 0; i < settings->client_name_count; i++)
        if (is_named(client, settings->client_names[i]))
            return true;
    return false;
}

/* A CA alone would let in every client to which it issues certificates: kubelets and users, for example. */
static int verify_client(int is_trusted, X509_STORE_CTX *verification)
{
    const SSL *ssl = X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx());
    const struct tls *tls = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    if (!is_trusted || X509_STORE_CTX_get_error_depth(verification) > 0 ||
        may_ask(tls->settings, X509_STORE_CTX_get_current_cert(verification)))
        return is_trusted;
    X509_STORE_CTX_set_error(verification, X509_V_ERR_HOSTNAME_MISMATCH);
    return 0;
}

/*
 * The bytes that a client may have sent by the end of its ClientHello, or of the second one: an API server
 * sends 2 KB.
 */
#define CLIENT_HELLO_BYTES_MAX ((size_t)8 << 10)

/*
 * OpenSSL copies parts of a ClientHello, and keeps them as long as the connection. H2O's BIO counts the bytes
 * that were read from it.
 */
static int refuse_large_hello(SSL *ssl, int *alert, void *unused)
{
    (void)unused;
    if (BIO_number_read(SSL_get_rbio(ssl)) <= CLIENT_HELLO_BYTES_MAX)
        return SSL_CLIENT_HELLO_SUCCESS;
    *alert = SSL_AD_ILLEGAL_PARAMETER;
    return SSL_CLIENT_HELLO_ERROR;
}

/* OpenSSL calls this on the loop's thread before it reads any byte of a handshake. */
static void on_handshake(const SSL *ssl, int where, int value)
{
    struct tls *tls = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    if (where == SSL_CB_HANDSHAKE_START)
        handshake_memory_limit(tls_certificates_bytes(tls->settings));
    handshakes_note(&tls->handshakes, where, value);
    if (where != SSL_CB_WRITE_ALERT || (value >> 8) != SSL3_AL_FATAL)
        return;
    atomic_store_explicit(&tls->last_alert, value & 0xff, memory_order_relaxed);
    atomic_fetch_add_explicit(&tls->refused, 1, memory_order_relaxed);
}

unsigned long tls_take_refused(struct tls *tls, const char **reason)
{
    unsigned long count = atomic_exchange_explicit(&tls->refused, 0, memory_order_relaxed);
    *reason = alert_name(alert_of(atomic_load_explicit(&tls->last_alert, memory_order_relaxed)));
    return count;
}

const struct handshakes *tls_handshakes(const struct tls *tls)
{
    return &tls->handshakes;
}

/*
 * The context
 */

/* If a client offers only other protocols, the answer has no ALPN, and the connection uses HTTP/1.1. */
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

/* Go's order: AES with 128 bits first, which is as safe here and costs less for large reviews. */
static const char ciphers_1_2[] = "ECDHE+AESGCM+AES128:ECDHE+AESGCM:ECDHE+CHACHA20";
static const char ciphers_1_3[] =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

static int context_setup(SSL_CTX *context)
{
    SSL_CTX_set_options(
        context,
        SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    /* Most connections are idle: without this mode each would keep 34 KB of buffers. */
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context, select_protocol, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
            SSL_CTX_set_num_tickets(context, 0) == 1 && SSL_CTX_set_cipher_list(context, ciphers_1_2) == 1 &&
            SSL_CTX_set_ciphersuites(context, ciphers_1_3) == 1
        ? 0
        : -1;
}

/* A chain of three certificates has 6 KB; OpenSSL's own limit is 100 KB. */
#define CLIENT_CERTIFICATES_BYTES_MAX ((size_t)32 << 10)

size_t tls_certificates_bytes(const struct tls_settings *settings)
{
    return settings->client_ca_path ? CLIENT_CERTIFICATES_BYTES_MAX : 0;
}

static void context_connect(SSL_CTX *context, struct tls *tls)
{
    tls->handshakes.context = context;
    SSL_CTX_set_app_data(context, tls);
    SSL_CTX_set_cert_cb(context, use_credentials, tls);
    SSL_CTX_set_info_callback(context, on_handshake);
    SSL_CTX_set_client_hello_cb(context, refuse_large_hello, NULL);
    SSL_CTX_set_max_cert_list(context, (long)tls_certificates_bytes(tls->settings));
    if (tls->settings->client_ca_path)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, verify_client);
}

struct tls *tls_create(const struct tls_settings *settings, struct error *error)
{
    struct tls *tls = calloc(1, sizeof(*tls));
    if (!tls) {
        error_set_out_of_memory(error);
        return NULL;
    }
    tls->settings = settings;
    pthread_mutex_init(&tls->lock, NULL);
    credentials_files_init(&tls->files, settings);
    tls->credentials = credentials_first(&tls->files, error);
    if (!tls->credentials) {
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
    context_connect(tls->context, tls);
    return tls;
}

void tls_free(struct tls *tls)
{
    if (!tls)
        return;
    SSL_CTX_free(tls->context);
    credentials_release(tls->credentials);
    pthread_mutex_destroy(&tls->lock);
    free(tls);
}

SSL_CTX *tls_context(const struct tls *tls)
{
    return tls->context;
}

enum credentials_result tls_reload(struct tls *tls, bool is_forced, struct error *error)
{
    struct credentials *credentials;
    enum credentials_result result =
        credentials_reload(&tls->files, is_forced, calendar_seconds(), &credentials, error);
    if (result != CREDENTIALS_NEW)
        return result;
    if (set_credentials(tls, credentials, error) != 0)
        return credentials_not_served(&tls->files, is_forced, error);
    credentials_served(&tls->files);
    return CREDENTIALS_NEW;
}

bool tls_is_current(const struct tls *tls)
{
    return credentials_are_current(&tls->files);
}

struct validity tls_validity(struct tls *tls)
{
    struct credentials *credentials = hold_credentials(tls);
    struct validity validity = credentials->pair.validity;
    credentials_release(credentials);
    return validity;
}

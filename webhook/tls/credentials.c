#include "webhook/tls/credentials.h"

#include "certs/bundle.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys and certificates have a few KiB; a bundle of many authorities has hundreds. */
#define FILE_BYTES_MAX ((size_t)1024 * 1024)

enum { CERTIFICATE, KEY, CLIENT_CA };

struct credentials *credentials_hold(struct credentials *credentials)
{
    atomic_fetch_add_explicit(&credentials->holders, 1, memory_order_relaxed);
    return credentials;
}

void credentials_release(struct credentials *credentials)
{
    if (!credentials || atomic_fetch_sub_explicit(&credentials->holders, 1, memory_order_acq_rel) > 1)
        return;
    pair_release(&credentials->pair);
    X509_STORE_free(credentials->clients);
    free(credentials);
}

struct credentials *credentials_with_pair(const struct credentials *credentials, struct pair *pair)
{
    struct credentials *copy = calloc(1, sizeof(*copy));
    if (!copy) {
        pair_release(pair);
        return NULL;
    }
    atomic_init(&copy->holders, 1);
    copy->pair = *pair;
    *pair = (struct pair){0};
    copy->clients = credentials->clients;
    if (copy->clients)
        X509_STORE_up_ref(copy->clients);
    return copy;
}

void credentials_files_init(struct credentials_files *files, const struct tls_settings *settings)
{
    *files = (struct credentials_files){
        .files =
            {
                [CERTIFICATE] = {.path = settings->cert_path, .flag = "--tls-cert"},
                [KEY] = {.path = settings->key_path, .flag = "--tls-key"},
                [CLIENT_CA] = {.path = settings->client_ca_path, .flag = "--client-ca"},
            },
    };
    for (size_t i = 0; i < CREDENTIALS_FILES; i++)
        files->files[i].limit = FILE_BYTES_MAX;
}

/*
 * From contents to credentials
 */

/* "FILE (--flag)", as sentences name it. */
struct source {
    char text[160];
};

static struct source source_of(const struct watched_file *file)
{
    struct source source;
    snprintf(source.text, sizeof(source.text), "%s (%s)", file->path ? file->path : "", file->flag);
    return source;
}

static bool store_add_all(X509_STORE *store, const STACK_OF(X509) * authorities)
{
    for (int i = 0; i < sk_X509_num(authorities); i++)
        if (X509_STORE_add_cert(store, sk_X509_value(authorities, i)) != 1)
            return false;
    return true;
}

static int load_clients(
    X509_STORE **store, const struct watched_file *file, const struct secret *content, struct error *error)
{
    struct error problem = {0};
    STACK_OF(X509) *authorities = bundle_parse(secret_slice(content), &problem);
    if (!authorities)
        return error_set(error, "%s (%s): %s", file->path, file->flag, problem.message);
    *store = X509_STORE_new();
    bool done = *store && store_add_all(*store, authorities);
    bundle_free(authorities);
    ERR_clear_error();
    return done ? 0 : error_set_out_of_memory(error);
}

static int load(
    struct credentials *credentials, const struct credentials_files *files, const struct secret *contents,
    struct error *error)
{
    struct source certificate = source_of(&files->files[CERTIFICATE]);
    struct source key = source_of(&files->files[KEY]);
    if (files->files[CERTIFICATE].path &&
        pair_parse(
            &credentials->pair, secret_slice(&contents[CERTIFICATE]), certificate.text,
            secret_slice(&contents[KEY]), key.text, error) != 0)
        return -1;
    if (!files->files[CLIENT_CA].path)
        return 0;
    return load_clients(&credentials->clients, &files->files[CLIENT_CA], &contents[CLIENT_CA], error);
}

static struct credentials *create(
    const struct credentials_files *files, const struct secret *contents, struct error *error)
{
    struct credentials *credentials = calloc(1, sizeof(*credentials));
    if (!credentials) {
        error_set_out_of_memory(error);
        return NULL;
    }
    atomic_init(&credentials->holders, 1);
    if (load(credentials, files, contents, error) == 0)
        return credentials;
    credentials_release(credentials);
    return NULL;
}

/*
 * Looking at the files
 */

static void free_contents(struct secret *contents, size_t count)
{
    for (size_t i = 0; i < count; i++)
        secret_free(&contents[i]);
}

static int read_contents(struct credentials_files *files, struct secret *contents, struct error *error)
{
    for (size_t i = 0; i < CREDENTIALS_FILES; i++)
        if (files->files[i].path && watched_file_read(&files->files[i], &contents[i], error) != 0)
            return -1;
    return 0;
}

/*
 * The digest of contents, and of the reason why they fail. Keys are not kept, only this digest. It is all
 * zeros if memory runs out.
 */
static void digest_contents(
    const struct secret *contents, size_t count, const char *reason,
    unsigned char digest[CREDENTIALS_DIGEST_BYTES])
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    memset(digest, 0, CREDENTIALS_DIGEST_BYTES);
    if (context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1) {
        EVP_DigestUpdate(context, reason, strlen(reason));
        for (size_t i = 0; i < count; i++) {
            EVP_DigestUpdate(context, &contents[i].length, sizeof(contents[i].length));
            EVP_DigestUpdate(context, contents[i].bytes, contents[i].length);
        }
        EVP_DigestFinal_ex(context, digest, NULL);
    }
    EVP_MD_CTX_free(context);
    ERR_clear_error();
}

/* All zeros mean that memory ran out, so they equal no digest: then the files are read again. */
static bool same_digest(const unsigned char *a, const unsigned char *b)
{
    static const unsigned char none[CREDENTIALS_DIGEST_BYTES];
    return memcmp(a, none, sizeof(none)) != 0 && memcmp(a, b, CREDENTIALS_DIGEST_BYTES) == 0;
}

/* A server with a self-managed certificate reads only the CAs of its clients. */
static bool has_any(const struct credentials_files *files)
{
    for (size_t i = 0; i < CREDENTIALS_FILES; i++)
        if (files->files[i].path)
            return true;
    return false;
}

static bool all_are_same(const struct credentials_files *files)
{
    for (size_t i = 0; i < CREDENTIALS_FILES; i++)
        if (files->files[i].path && !watched_file_is_same(&files->files[i]))
            return false;
    return true;
}

/*
 * The files have the credentials in use: the next failure is reported even if it is the same as the last one.
 */
static void forget_failure(struct credentials_files *files)
{
    memset(files->failed, 0, CREDENTIALS_DIGEST_BYTES);
    files->look_again = false;
    files->was_reported = false;
    files->are_stale = false;
}

void credentials_served(struct credentials_files *files)
{
    memcpy(files->served, files->loaded, CREDENTIALS_DIGEST_BYTES);
    forget_failure(files);
}

/*
 * A failure is reported when it is seen for the second time, or at once if a reload was requested, and then
 * not again unless requested. The same contents may load later: OpenSSL reports a lack of memory as malformed
 * contents, and a certificate that is not valid yet will be valid later.
 */
static enum credentials_result failed(
    struct credentials_files *files, const struct secret *contents, size_t count, bool is_forced,
    const struct error *error)
{
    unsigned char digest[CREDENTIALS_DIGEST_BYTES];
    digest_contents(contents, count, error->message, digest);
    bool is_second = same_digest(files->failed, digest);
    bool is_reported = is_forced || (is_second && !files->was_reported);
    files->was_reported = is_reported || (is_second && files->was_reported);
    files->are_stale |= is_reported;
    files->look_again = true;
    memcpy(files->failed, digest, CREDENTIALS_DIGEST_BYTES);
    return is_reported ? CREDENTIALS_FAILED : CREDENTIALS_UNCHANGED;
}

enum credentials_result credentials_not_served(
    struct credentials_files *files, bool is_forced, const struct error *error)
{
    return failed(files, NULL, 0, is_forced, error);
}

struct credentials *credentials_first(struct credentials_files *files, struct error *error)
{
    struct secret contents[CREDENTIALS_FILES] = {{0}};
    struct credentials *credentials = NULL;
    if (read_contents(files, contents, error) == 0)
        credentials = create(files, contents, error);
    digest_contents(contents, CREDENTIALS_FILES, "", files->loaded);
    credentials_served(files);
    free_contents(contents, CREDENTIALS_FILES);
    return credentials;
}

static enum credentials_result take(
    struct credentials_files *files, const struct secret *contents, bool is_forced, int64_t now,
    struct credentials **credentials, struct error *error)
{
    digest_contents(contents, CREDENTIALS_FILES, "", files->loaded);
    if (!is_forced && same_digest(files->loaded, files->served)) {
        forget_failure(files);
        return CREDENTIALS_UNCHANGED;
    }
    struct source source = source_of(&files->files[CERTIFICATE]);
    *credentials = create(files, contents, error);
    if (!*credentials)
        return failed(files, contents, CREDENTIALS_FILES, is_forced, error);
    bool has_pair = (*credentials)->pair.leaf;
    if (!has_pair || pair_check_time(&(*credentials)->pair, source.text, now, error) == 0)
        return CREDENTIALS_NEW;
    credentials_release(*credentials);
    *credentials = NULL;
    return failed(files, contents, CREDENTIALS_FILES, is_forced, error);
}

enum credentials_result credentials_reload(
    struct credentials_files *files, bool is_forced, int64_t now, struct credentials **credentials,
    struct error *error)
{
    struct secret contents[CREDENTIALS_FILES] = {{0}};
    enum credentials_result result;
    *credentials = NULL;
    if (!has_any(files) || (!is_forced && !files->look_again && all_are_same(files)))
        return CREDENTIALS_UNCHANGED;
    if (read_contents(files, contents, error) == 0)
        result = take(files, contents, is_forced, now, credentials, error);
    else
        result = failed(files, NULL, 0, is_forced, error);
    free_contents(contents, CREDENTIALS_FILES);
    return result;
}

bool credentials_are_current(const struct credentials_files *files)
{
    return !files->are_stale;
}

#include "certs/key.h"

#include "certs/memory.h"
#include "certs/problem.h"

#include <errno.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <unistd.h>

#define RSA_BITS 2048

/* More than certificates and keys have. */
#define FIRST_READ_BYTES ((size_t)16 << 10)

struct secret secret_allocate(size_t capacity)
{
    char *bytes = OPENSSL_malloc(capacity);
    return (struct secret){.bytes = bytes, .length = bytes ? capacity : 0};
}

struct secret secret_copy(const struct secret *secret)
{
    struct secret copy = secret_allocate(secret->length);
    if (copy.length)
        memcpy(copy.bytes, secret->bytes, copy.length);
    return copy;
}

static bool enlarge(struct secret *secret, size_t most)
{
    size_t capacity = secret->length ? 2 * secret->length : FIRST_READ_BYTES;
    struct secret larger = secret_allocate(capacity < most ? capacity : most);
    if (!larger.bytes)
        return false;
    if (secret->length)
        memcpy(larger.bytes, secret->bytes, secret->length);
    secret_free(secret);
    *secret = larger;
    return true;
}

/* Reads one byte more than the limit: a file of exactly the limit is allowed, a larger one is not. */
int secret_read(int file, size_t limit, struct secret *content)
{
    size_t length = 0;
    int reason = 0;
    *content = (struct secret){0};
    for (ssize_t got = 1; got != 0 && !reason;) {
        if (length == content->length && !enlarge(content, limit + 1)) {
            reason = ENOMEM;
            break;
        }
        got = read(file, content->bytes + length, content->length - length);
        length += got > 0 ? (size_t)got : 0;
        if (got < 0 && errno != EINTR)
            reason = errno;
        else if (length > limit)
            reason = EFBIG;
    }
    if (reason)
        secret_free(content);
    else
        content->length = length;
    return reason;
}

void secret_free(struct secret *secret)
{
    OPENSSL_clear_free(secret->bytes, secret->length);
    *secret = (struct secret){0};
}

EVP_PKEY *key_generate(enum key_kind kind, struct error *error)
{
    EVP_PKEY *key = kind == KEY_RSA_2048 ? EVP_RSA_gen((size_t)RSA_BITS) : EVP_EC_gen("P-256");
    if (!key)
        openssl_problem(error, "cannot make a private key");
    return key;
}

/* Without it OpenSSL would ask for a passphrase on the terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *data)
{
    (void)buffer, (void)size, (void)writing, (void)data;
    return -1;
}

EVP_PKEY *key_parse(struct slice pem, struct error *error)
{
    size_t failures = memory_failures();
    BIO *bio = pem.length <= INT_MAX ? BIO_new_mem_buf(pem.bytes, (int)pem.length) : NULL;
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    if (!key && memory_failures() != failures)
        error_set_out_of_memory(error);
    else if (!key)
        error_set(error, "it holds no private key in PEM form, or one with a passphrase; give one without");
    return key;
}

static bool copy_out(BIO *bio, struct secret *pem)
{
    char *bytes = NULL;
    long length = BIO_get_mem_data(bio, &bytes);
    if (length <= 0 || !bytes)
        return false;
    struct secret copy = secret_allocate((size_t)length);
    if (!copy.bytes)
        return false;
    memcpy(copy.bytes, bytes, copy.length);
    *pem = copy;
    return true;
}

/* A BIO of secure memory cleanses what it frees, also as it grows. */
int key_print(const EVP_PKEY *key, struct secret *pem, struct error *error)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    *pem = (struct secret){0};
    bool done =
        bio && PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1 && copy_out(bio, pem);
    BIO_free(bio);
    return done ? 0 : openssl_problem(error, "cannot write a private key down");
}

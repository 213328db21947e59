/*
 * key.h: private keys, and their text for as long as it is needed.
 *
 * A key's text is in memory only inside a `struct secret`, which is cleansed before it is freed, so that no
 * key is left behind where a later bug or a core dump could show it.
 */
#ifndef APPLYGUARD_CERTS_KEY_H
#define APPLYGUARD_CERTS_KEY_H

#include "base/error.h"
#include "base/slice.h"

#include <openssl/evp.h>
#include <stdbool.h>

enum key_kind { KEY_EC_P256, KEY_RSA_2048 };

/* "ec" or "rsa", as options name them. Returns NULL, or what is wrong: "is neither ...". */
const char *key_kind_parse(const char *text, enum key_kind *kind);

struct secret {
    char *bytes;
    size_t length;
};

/* Takes `capacity` bytes that secret_free cleanses; NULL bytes if there is no memory. */
struct secret secret_allocate(size_t capacity);

/* Another one with the same bytes; NULL bytes if there is no memory. */
struct secret secret_copy(const struct secret *secret);

static inline struct slice secret_slice(const struct secret *secret)
{
    return (struct slice){secret->bytes, secret->length};
}

/*
 * Reads the open file to its end. Returns 0, and the content is freed with secret_free; or why there is none:
 * the error number of a system call, EISDIR, ENOMEM, or EFBIG of one that holds more than `limit` bytes.
 */
int secret_read(int file, size_t limit, struct secret *content);

/* Overwrites the bytes and frees them. Accepts one that holds nothing. */
void secret_free(struct secret *secret);

/* NULL and an error if OpenSSL has no randomness or memory. Freed with EVP_PKEY_free, which cleanses. */
EVP_PKEY *key_generate(enum key_kind kind, struct error *error);

/* The first private key in PEM text; one with a passphrase is refused, nobody is there to type it. */
EVP_PKEY *key_parse(struct slice pem, struct error *error);

/* PEM text (PKCS#8, as Secrets of type kubernetes.io/tls have it). Freed with secret_free. */
int key_print(const EVP_PKEY *key, struct secret *pem, struct error *error);

#endif

/*
 * key.h: private keys, and memory for their text.
 *
 * The text of a key is in memory only inside a `struct secret`, which is overwritten before it is freed, so
 * that no later bug or core dump can reveal it.
 */
#ifndef APPLYGUARD_CERTS_KEY_H
#define APPLYGUARD_CERTS_KEY_H

#include "base/error.h"
#include "base/slice.h"

#include <openssl/evp.h>
#include <stdbool.h>

enum key_kind { KEY_EC_P256, KEY_RSA_2048 };

struct secret {
    char *bytes;
    size_t length;
};

/* Allocates `capacity` bytes, which secret_free overwrites. NULL bytes if memory runs out. */
struct secret secret_allocate(size_t capacity);

/* Copies a secret. NULL bytes if memory runs out. */
struct secret secret_copy(const struct secret *secret);

static inline struct slice secret_slice(const struct secret *secret)
{
    return (struct slice){secret->bytes, secret->length};
}

/*
 * Reads the open file to its end. Returns 0 on success; free the content with secret_free. Otherwise returns
 * the error number of a system call, EISDIR, ENOMEM, or EFBIG if the file has more than `limit` bytes.
 */
int secret_read(int file, size_t limit, struct secret *content);

/* Overwrites the bytes and frees them. Accepts an empty one. */
void secret_free(struct secret *secret);

/*
 * Generates a key. NULL and an error if OpenSSL has no randomness or memory. Free it with EVP_PKEY_free,
 * which overwrites it.
 */
EVP_PKEY *key_generate(enum key_kind kind, struct error *error);

/*
 * Reads the first private key in PEM text. Refuses a key with a passphrase, because a server cannot ask for
 * it.
 */
EVP_PKEY *key_parse(struct slice pem, struct error *error);

/* Prints the key as PEM text (PKCS#8, as in Secrets of type kubernetes.io/tls). Free it with secret_free. */
int key_print(const EVP_PKEY *key, struct secret *pem, struct error *error);

#endif

#include "webhook/tls/handshake_memory.h"

#include <openssl/crypto.h>
#include <openssl/ssl3.h>
#include <stdint.h>

/* A buffer of OpenSSL is a third larger than its data, and each message begins with a head of four bytes. */
#define BUFFER_OF(bytes) (((bytes) + SSL3_HM_HEADER_LENGTH + 3) / 3 * 4)

static CRYPTO_malloc_fn allocate_any;
static CRYPTO_realloc_fn resize_any;
static CRYPTO_free_fn release_any;

static _Thread_local size_t largest = SIZE_MAX;

/*
 * OpenSSL moves growing buffers of received data to new blocks, so that it can overwrite the old ones; it
 * resizes buffers of sent data, such as the server's own chain. So this function limits only the data that
 * clients send: all other allocations of a handshake are smaller.
 */
static void *allocate(size_t size, const char *file, int line)
{
    return size <= largest ? allocate_any(size, file, line) : NULL;
}

bool handshake_memory_open(void)
{
    CRYPTO_get_mem_functions(&allocate_any, &resize_any, &release_any);
    return CRYPTO_set_mem_functions(allocate, resize_any, release_any) == 1;
}

void handshake_memory_limit(size_t bytes)
{
    largest = BUFFER_OF(bytes > SSL3_RT_MAX_PLAIN_LENGTH ? bytes : SSL3_RT_MAX_PLAIN_LENGTH);
}

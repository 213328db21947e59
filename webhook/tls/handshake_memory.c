#include "webhook/tls/handshake_memory.h"

#include <openssl/crypto.h>
#include <openssl/ssl3.h>
#include <stdint.h>

/* A buffer of OpenSSL has a third more than it must hold, and four bytes of each message are its head. */
#define BUFFER_OF(bytes) (((bytes) + SSL3_HM_HEADER_LENGTH + 3) / 3 * 4)

static CRYPTO_malloc_fn allocate_any;
static CRYPTO_realloc_fn resize_any;
static CRYPTO_free_fn release_any;

static _Thread_local size_t largest = SIZE_MAX;

/*
 * Buffers of what is read grow into new blocks, so that the old ones can be overwritten; those of what the
 * server writes, such as its own chain, are resized. So this limits what clients send, and nothing else: all
 * else that a handshake takes is smaller.
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

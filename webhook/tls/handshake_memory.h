/*
 * handshake_memory.h: limits the memory that a TLS handshake may make OpenSSL take.
 *
 * As soon as four bytes announce a message, OpenSSL takes a buffer for the whole of it, and keeps it for as
 * long as the handshake may take. For a ClientHello it allows 128 KiB, has no setting for less, and calls no
 * callback before. So its allocations pass through here, and such a buffer is refused on threads that do
 * handshakes: the handshake then fails. API servers send less than 4 KiB.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_HANDSHAKE_MEMORY_H
#define APPLYGUARD_WEBHOOK_TLS_HANDSHAKE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Passes OpenSSL's allocations through this module to the functions of memory_protect. Call it after
 * memory_protect is set up, since OpenSSL's own functions would call themselves, and before any other
 * function of OpenSSL. Returns false if no limits are possible any more.
 */
bool handshake_memory_open(void);

/* From now on OpenSSL reads no message above `bytes` on this thread; but the limit is at least one record. */
void handshake_memory_limit(size_t bytes);

#endif

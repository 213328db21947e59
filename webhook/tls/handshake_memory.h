/*
 * handshake_memory.h: limits the memory that a TLS handshake may make OpenSSL take.
 *
 * As soon as four bytes announce a message, OpenSSL takes a buffer for the whole of it, and keeps it for as
 * long as the handshake may take. For a ClientHello it allows 128 KiB, without a setting for less, and it
 * calls nobody before. So its allocations pass through here, and such a buffer is refused on threads that do
 * handshakes: the handshake then fails. API servers send less than 4 KiB.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_HANDSHAKE_MEMORY_H
#define APPLYGUARD_WEBHOOK_TLS_HANDSHAKE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Lets OpenSSL's allocations pass through here, on their way to the functions of memory_protect. Call it
 * after that, since OpenSSL's own functions would call themselves, and before any other function of OpenSSL.
 * Otherwise there can be no limits, and it returns false.
 */
bool handshake_memory_open(void);

/* From now on OpenSSL reads no message above `bytes` on this thread; but never less than one record holds. */
void handshake_memory_limit(size_t bytes);

#endif

/*
 * memory.h: that no private key is left where a later bug or a core dump could show it.
 *
 * OpenSSL cleanses its keys, but not all the buffers that it reads and writes them through.
 */
#ifndef APPLYGUARD_CERTS_MEMORY_H
#define APPLYGUARD_CERTS_MEMORY_H

#include <stdbool.h>

/*
 * From here on OpenSSL overwrites the memory that it frees, and core dumps of this process hold no memory
 * that it wrote. Call it before anything else of OpenSSL, or nothing of the first is done: then it returns
 * false.
 */
bool memory_protect(void);

#endif

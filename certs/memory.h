/*
 * memory.h: keeps private keys out of freed memory and core dumps.
 *
 * OpenSSL overwrites its keys when it frees them, but not all buffers through which it reads and writes them.
 */
#ifndef APPLYGUARD_CERTS_MEMORY_H
#define APPLYGUARD_CERTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes OpenSSL overwrite all memory that it frees, and excludes the process' memory from core dumps. Call it
 * before any other function of OpenSSL. Otherwise OpenSSL's memory cannot be overwritten, and it returns
 * false.
 */
bool memory_protect(void);

/*
 * How often OpenSSL, and what takes its memory from there, got none in this thread. Where it has grown, what
 * was called broken or missing meanwhile may be neither. 0 for ever without memory_protect.
 */
size_t memory_failures(void);

#endif

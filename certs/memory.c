#include "certs/memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A key of 16384 bits as text. A larger block is a buffer of a connection, of which there are many. */
#define CLEANSED_BYTES_MAX ((size_t)16384)

/* A handshake frees a thousand small blocks here, so this does not call explicit_bzero(): the compiler may
 * not leave out what it must believe to be read. */
static void cleanse(void *block)
{
    size_t size = malloc_usable_size(block);
    if (size > CLEANSED_BYTES_MAX)
        return;
    memset(block, 0, size);
    __asm__ volatile("" : : "r"(block) : "memory");
}

static _Thread_local size_t failures;

static void *counted(void *block)
{
    failures += block == NULL;
    return block;
}

size_t memory_failures(void)
{
    return failures;
}

static void *allocate(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return counted(malloc(size));
}

static void release(void *block, const char *file, int line)
{
    (void)file, (void)line;
    if (!block)
        return;
    cleanse(block);
    free(block);
}

/* realloc would leave the old block as it is where it moves. */
static void *resize(void *block, size_t size, const char *file, int line)
{
    if (!block || size == 0) {
        release(block, file, line);
        return size ? allocate(size, file, line) : NULL;
    }
    size_t old = malloc_usable_size(block);
    if (old > CLEANSED_BYTES_MAX)
        return counted(realloc(block, size));
    void *moved = allocate(size, file, line);
    if (!moved)
        return NULL;
    memcpy(moved, block, old < size ? old : size);
    release(block, file, line);
    return moved;
}

/* Memory is in the core as the filter's bits say, by its kind (core(5)). Only bit 4 is set: the headers of
 * the loaded files, which hold their versions. */
static bool filter_core_dumps(void)
{
    int file = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool done = write(file, "0x10", 4) == 4;
    close(file);
    return done;
}

bool memory_protect(void)
{
    if (!filter_core_dumps())
        prctl(PR_SET_DUMPABLE, 0);
    return CRYPTO_set_mem_functions(allocate, resize, release) == 1;
}

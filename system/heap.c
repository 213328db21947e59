#include "system/heap.h"

#include "base/arena.h"

#ifdef __GLIBC__
#include <malloc.h>

/* A large file takes several chunks of the largest size that an arena keeps. */
#define KEPT_BYTES ((int)(64 * 1024 * 1024))
#define KEPT_BLOCK_BYTES ((int)(2 * ARENA_KEEP_BYTES))

void heap_keep_freed(void)
{
    mallopt(M_MMAP_THRESHOLD, KEPT_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}
#else
void heap_keep_freed(void)
{
}
#endif

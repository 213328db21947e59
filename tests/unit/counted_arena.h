/*
 * counted_arena.h: the arena itself, with what it takes from the system counted and bounded.
 *
 * A test that includes it has its own copy of base/arena.c, which the linker prefers to the library's.
 */
#ifndef APPLYGUARD_TESTS_COUNTED_ARENA_H
#define APPLYGUARD_TESTS_COUNTED_ARENA_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct {
    size_t live_bytes;
    size_t live_blocks;
    size_t calls;
    size_t fail_call;   /* the number of the call that fails, counted from 1; 0: none */
    size_t limit_bytes; /* live bytes beyond which calls fail; 0: no limit */
} counted;

/* Counts the call, too. */
static bool counted_is_granted(size_t more)
{
    counted.calls++;
    return counted.calls != counted.fail_call &&
        (!counted.limit_bytes || counted.live_bytes + more <= counted.limit_bytes);
}

/* The block's size stands before it; 16 bytes keep its alignment. */
static void *counted_malloc(size_t size)
{
    char *block = counted_is_granted(size) ? malloc(size + 16) : NULL;
    if (!block)
        return NULL;
    *(size_t *)(void *)block = size;
    counted.live_bytes += size;
    counted.live_blocks++;
    return block + 16;
}

static void counted_free(void *memory)
{
    if (!memory)
        return;
    char *block = (char *)memory - 16;
    counted.live_bytes -= *(size_t *)(void *)block;
    counted.live_blocks--;
    free(block);
}

/* Counts larger blocks only, as the arena asks for. The system grows large blocks where they are. */
static void *counted_realloc(void *memory, size_t size)
{
    char *block = (char *)memory - 16;
    size_t more = size - *(size_t *)(void *)block;
    char *grown = counted_is_granted(more) ? realloc(block, size + 16) : NULL;
    if (!grown)
        return NULL;
    *(size_t *)(void *)grown = size;
    counted.live_bytes += more;
    return grown + 16;
}

#define malloc counted_malloc
#define realloc counted_realloc
#define free counted_free
#include "base/arena.c" /* NOLINT(bugprone-suspicious-include) */
#undef malloc
#undef realloc
#undef free

#endif

/*
 * block_arena.h: an arena whose every block is one of the system's own.
 *
 * Sanitizers see what is read or written beside a block, which in an arena of large chunks they cannot, and
 * each single allocation can be made to fail. A program includes it once; the linker then prefers it to
 * base/arena.c.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_BLOCK_ARENA_H
#define APPLYGUARD_TESTS_TORTURE_BLOCK_ARENA_H

#include "base/arena.h"

#include <malloc.h>
#include <sanitizer/asan_interface.h>
#include <stdint.h>
#include <stdlib.h>

static struct {
    size_t live;      /* blocks that are not freed */
    size_t calls;     /* allocations, failed ones too, since whoever counts set it to 0 */
    size_t failures;  /* the same for the ones that failed */
    size_t fail_from; /* the number of the first that fails, counted from 1; 0: none */
    bool fail_once;   /* the later ones succeed again */
} blocks;

struct block {
    struct block *previous;
    size_t size;
    _Alignas(16) char bytes[];
};

struct arena {
    struct block *last;
    const struct block *kept; /* neither it nor the blocks before it are given back by a rewind */
    size_t taken;             /* as it was asked for */
    size_t limit;             /* 0: no limit */
    size_t bound;             /* 0: no bound */
    bool failed;
    bool is_bound_alone;
};

static inline bool block_is_granted(void)
{
    blocks.calls++;
    bool fails = blocks.fail_from && blocks.calls >= blocks.fail_from &&
        (blocks.calls == blocks.fail_from || !blocks.fail_once);
    blocks.failures += fails;
    return !fails;
}

static inline void *block_allocate(size_t size)
{
    void *memory = block_is_granted() ? malloc(size) : NULL;
    blocks.live += memory != NULL;
    return memory;
}

static inline void block_free(void *memory)
{
    blocks.live -= memory != NULL;
    free(memory);
}

struct arena *arena_create(void)
{
    struct arena *arena = block_allocate(sizeof(*arena));
    if (arena)
        *arena = (struct arena){0};
    return arena;
}

void arena_reset(struct arena *arena)
{
    while (arena->last) {
        struct block *previous = arena->last->previous;
        block_free(arena->last);
        arena->last = previous;
    }
    arena->kept = NULL;
    arena->taken = arena->bound = 0;
    arena->failed = false;
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    arena_reset(arena);
    block_free(arena);
}

bool arena_has_failed(const struct arena *arena)
{
    return arena->failed;
}

void arena_rest(struct arena *arena)
{
    (void)arena;
}

size_t arena_used(const struct arena *arena)
{
    return arena->taken;
}

size_t arena_taken(const struct arena *arena)
{
    size_t taken = 0;
    for (struct block *block = arena->last; block; block = block->previous)
        taken += malloc_usable_size(block);
    return taken;
}

static inline bool block_fits(const struct arena *arena, size_t size, size_t most)
{
    return !most || (arena->taken <= most && size <= most - arena->taken);
}

void *arena_allocate(struct arena *arena, size_t size)
{
    bool is_possible = size <= PTRDIFF_MAX / 2 && block_fits(arena, size, arena->limit);
    bool is_beyond_bound = is_possible && !block_fits(arena, size, arena->bound);
    struct block *block = is_possible && !is_beyond_bound ? block_allocate(sizeof(*block) + size) : NULL;
    if (!block) {
        arena->is_bound_alone = is_beyond_bound && (!arena->failed || arena->is_bound_alone);
        arena->failed = true;
        return NULL;
    }
    block->size = size;
    arena->taken += size;
    block->previous = arena->last;
    arena->last = block;
    return block->bytes;
}

void *arena_allocate_array(struct arena *arena, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        total = SIZE_MAX;
    void *memory = arena_allocate(arena, total);
    if (memory)
        memset(memory, 0, total);
    return memory;
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){arena->last, 0};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    while (!arena->failed && arena->last != mark.chunk && arena->last != arena->kept) {
        struct block *previous = arena->last->previous;
        arena->taken -= arena->last->size;
        block_free(arena->last);
        arena->last = previous;
    }
}

void arena_keep(struct arena *arena)
{
    arena->kept = arena->last;
}

void arena_limit(struct arena *arena, size_t bytes)
{
    arena->limit = bytes;
}

void arena_bound(struct arena *arena, size_t bytes)
{
    arena->bound = bytes ? bytes : 1;
}

size_t arena_limit_of(const struct arena *arena)
{
    return arena->limit ? arena->limit : SIZE_MAX;
}

bool arena_forgive(struct arena *arena)
{
    if (!arena->failed || !arena->is_bound_alone)
        return false;
    arena->bound = 0;
    arena->failed = false;
    return true;
}

/* Memory that was given back has no owner, and the sanitizer reports its use. */
void arena_shorten(struct arena *arena, const void *end)
{
    const char *block_end = (const char *)arena->last + malloc_usable_size(arena->last);
    ASAN_POISON_MEMORY_REGION(end, (size_t)(block_end - (const char *)end));
}

static inline void *block_yyjson_malloc(void *arena, size_t size)
{
    return arena_allocate(arena, size);
}

static inline void *block_yyjson_realloc(void *arena, void *memory, size_t old_size, size_t size)
{
    void *moved = arena_allocate(arena, size);
    if (moved)
        memcpy(moved, memory, old_size < size ? old_size : size);
    return moved;
}

static inline void block_yyjson_free(void *arena, void *memory)
{
    (void)arena;
    (void)memory;
}

yyjson_alc arena_yyjson(struct arena *arena)
{
    return (yyjson_alc){block_yyjson_malloc, block_yyjson_realloc, block_yyjson_free, arena};
}

#endif

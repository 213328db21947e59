/*
 * arena.h: the memory of one review.
 *
 * Everything that judging allocates comes from one arena and is freed at once: nothing in policy/ frees
 * memory itself. An arena is reused from review to review, so a busy loop allocates nothing from the system.
 * A reset returns what a large review took beyond ARENA_KEEP_BYTES; arena_rest returns the rest when no large
 * review has come for a while. Not thread-safe: each event loop has its own arena.
 */
#ifndef APPLYGUARD_BASE_ARENA_H
#define APPLYGUARD_BASE_ARENA_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/*
 * The memory that an arena keeps after a reset: enough for a review of some hundred KiB. For a large review
 * new memory costs more than the judging, because the system clears it page by page.
 */
#define ARENA_KEEP_BYTES ((size_t)2560 * 1024)

/* The memory that it keeps after arena_rest(): enough for reviews of common size (an 8 KB review takes about
 * 60 KiB). */
#define ARENA_REST_BYTES ((size_t)1024 * 1024)

struct arena;

/* Returns NULL if memory runs out. */
struct arena *arena_create(void);

/* Accepts NULL. */
void arena_destroy(struct arena *arena);

/* Frees everything allocated since the last reset. Pointers into the arena are invalid afterwards. */
void arena_reset(struct arena *arena);

/*
 * For an arena that was just reset: returns what it keeps beyond ARENA_REST_BYTES to the system, if no review
 * has needed that much since the last call. Call it every now and then.
 */
void arena_rest(struct arena *arena);

/*
 * Sets how much the arena may take from the system. Allocations beyond that fail as if there were no memory.
 * SIZE_MAX, the initial value, means no limit.
 */
void arena_limit(struct arena *arena, size_t bytes);

/*
 * Sets a bound below that limit: its user then knows that it reached its limit, and not that memory ran out,
 * and can go on with the rest. SIZE_MAX, the initial value, means none; a reset takes it away.
 */
void arena_bound(struct arena *arena, size_t bytes);

/* The bytes that the arena may still take. */
size_t arena_limit_of(const struct arena *arena);

/* Whether the bound made allocations fail, and nothing else did. Then takes the bound and the failure away.
 */
bool arena_forgive(struct arena *arena);

/* How many bytes the arena holds from the system. */
size_t arena_taken(const struct arena *arena);

/* How many of them are allocated. */
size_t arena_used(const struct arena *arena);

/*
 * Whether an allocation has failed since the last reset. Check this once at the end, before you use what was
 * built in the arena: the code in between only must not crash.
 */
bool arena_has_failed(const struct arena *arena);

/*
 * Returns `size` bytes, aligned for any type and not cleared, or NULL if memory runs out. The bytes live
 * until arena_reset or arena_destroy.
 */
void *arena_allocate(struct arena *arena, size_t size);

/* The same for `count` elements of `size` bytes, cleared; the product is checked for overflow. */
void *arena_allocate_array(struct arena *arena, size_t count, size_t size);

/* Shrinks the block that was allocated last so that it ends at `end`. */
void arena_shorten(struct arena *arena, const void *end);

/* How far an arena is filled. */
struct arena_mark {
    const void *chunk;
    size_t used;
};

struct arena_mark arena_mark(const struct arena *arena);

/*
 * Gives back what was allocated since the mark, for use by what is allocated next. Without effect where the
 * arena has begun a new chunk since, or has failed: then something that stays may be half made.
 */
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* Lets no rewind give back what has been allocated so far. */
void arena_keep(struct arena *arena);

/* Whether nothing was allocated since the mark, or it was given back. */
static inline bool arena_is_at(const struct arena *arena, struct arena_mark mark)
{
    struct arena_mark now = arena_mark(arena);
    return now.chunk == mark.chunk && now.used == mark.used;
}

/* A copy of the slice's bytes; an empty slice with NULL bytes if memory runs out. */
static inline struct slice arena_copy(struct arena *arena, struct slice text)
{
    char *copy = text.length ? arena_allocate(arena, text.length) : NULL;
    if (!copy)
        return (struct slice){NULL, 0};
    memcpy(copy, text.bytes, text.length);
    return (struct slice){copy, text.length};
}

/*
 * Room for one more element behind `count` elements of `size` bytes: `items` themselves, or where they fill
 * their capacity, a copy with a larger one. NULL if memory runs out.
 */
static inline void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    size_t larger = *capacity ? *capacity * 2 : 8;
    void *copy = arena_allocate_array(arena, larger, size);
    if (copy && count)
        memcpy(copy, items, count * size);
    if (copy)
        *capacity = larger;
    return copy;
}

/* An allocator for yyjson. The arena frees documents that were read with it; do not call yyjson_doc_free. */
yyjson_alc arena_yyjson(struct arena *arena);

#endif

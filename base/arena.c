#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

#define ALIGNMENT ((size_t)16)
#define FIRST_CHUNK_BYTES ((size_t)64 * 1024)

/* No block is larger, so that nothing overflows that is added to its size. */
#define SIZE_LIMIT ((size_t)PTRDIFF_MAX / 2)

struct chunk {
    struct chunk *next; /* the one filled before this */
    size_t capacity;
    size_t used;
    size_t kept; /* no rewind gives back what lies below */
    _Alignas(16) char bytes[];
};

struct arena {
    struct chunk *current;
    size_t taken; /* the capacities of all chunks */
    size_t limit;
    size_t bound;
    bool failed;         /* for any reason */
    bool is_bound_alone; /* for no other than the bound */
    bool is_busy;        /* more than ARENA_REST_BYTES were needed since the last rest */
};

static struct chunk *chunk_create(size_t capacity, struct chunk *next)
{
    struct chunk *chunk = malloc(sizeof(*chunk) + capacity);
    if (!chunk)
        return NULL;
    chunk->next = next;
    chunk->capacity = capacity;
    chunk->used = chunk->kept = 0;
    return chunk;
}

struct arena *arena_create(void)
{
    struct arena *arena = malloc(sizeof(*arena));
    if (!arena)
        return NULL;
    *arena = (struct arena){.taken = FIRST_CHUNK_BYTES, .limit = SIZE_MAX, .bound = SIZE_MAX};
    arena->current = chunk_create(FIRST_CHUNK_BYTES, NULL);
    if (!arena->current) {
        free(arena);
        return NULL;
    }
    return arena;
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    for (struct chunk *chunk = arena->current, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

/*
 * The largest chunk within the bound stays: a loop that sees reviews of one size settles on one chunk that
 * holds a whole review.
 */
void arena_reset(struct arena *arena)
{
    struct chunk *kept = NULL;
    for (struct chunk *chunk = arena->current, *next; chunk; chunk = next) {
        next = chunk->next;
        if (chunk->capacity <= ARENA_KEEP_BYTES && (!kept || chunk->capacity > kept->capacity)) {
            free(kept);
            kept = chunk;
        } else {
            free(chunk);
        }
    }
    if (kept) {
        kept->next = NULL;
        kept->used = kept->kept = 0;
    }
    arena->current = kept;
    arena->taken = kept ? kept->capacity : 0;
    arena->bound = SIZE_MAX;
    arena->failed = false;
}

void arena_rest(struct arena *arena)
{
    struct chunk *large = arena->current;
    bool is_needed =
        arena->is_busy || !large || large->capacity <= ARENA_REST_BYTES || large->used || large->next;
    arena->is_busy = false;
    struct chunk *small = is_needed ? NULL : chunk_create(FIRST_CHUNK_BYTES, NULL);
    if (!small)
        return;
    free(large);
    arena->current = small;
    arena->taken = small->capacity;
}

void arena_limit(struct arena *arena, size_t bytes)
{
    arena->limit = bytes;
}

void arena_bound(struct arena *arena, size_t bytes)
{
    arena->bound = bytes;
}

size_t arena_limit_of(const struct arena *arena)
{
    return arena->limit;
}

bool arena_forgive(struct arena *arena)
{
    if (!arena->failed || !arena->is_bound_alone)
        return false;
    arena->bound = SIZE_MAX;
    arena->failed = false;
    return true;
}

size_t arena_taken(const struct arena *arena)
{
    return arena->taken;
}

size_t arena_used(const struct arena *arena)
{
    size_t used = 0;
    for (const struct chunk *chunk = arena->current; chunk; chunk = chunk->next)
        used += chunk->used;
    return used;
}

bool arena_has_failed(const struct arena *arena)
{
    return arena->failed;
}

static void *fail(struct arena *arena, bool is_for_bound)
{
    arena->is_bound_alone = is_for_bound && (!arena->failed || arena->is_bound_alone);
    arena->failed = true;
    return NULL;
}

static bool fits_below(const struct arena *arena, size_t bytes, size_t most)
{
    return arena->taken <= most && bytes <= most - arena->taken;
}

static bool may_take(const struct arena *arena, size_t bytes)
{
    return fits_below(arena, bytes, arena->limit) && fits_below(arena, bytes, arena->bound);
}

/* NULL: there is none. */
static struct chunk *take_chunk(struct arena *arena, size_t capacity)
{
    bool is_granted = may_take(arena, capacity);
    struct chunk *chunk = is_granted ? chunk_create(capacity, arena->current) : NULL;
    if (!chunk)
        return fail(arena, !is_granted && fits_below(arena, capacity, arena->limit));
    arena->current = chunk;
    arena->taken += capacity;
    return chunk;
}

/* Twice the last, as long as that is not more than stays: after one large block the small ones need no chunk
 * of its size. */
static size_t next_capacity(const struct arena *arena, size_t size)
{
    size_t capacity = arena->current->capacity;
    if (capacity <= ARENA_KEEP_BYTES / 2)
        capacity *= 2;
    else if (capacity > ARENA_KEEP_BYTES)
        capacity = ARENA_KEEP_BYTES;
    return capacity > size && may_take(arena, capacity) ? capacity : size;
}

void *arena_allocate(struct arena *arena, size_t size)
{
    if (size > SIZE_LIMIT)
        return fail(arena, false);
    size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    struct chunk *chunk = arena->current;
    if (size > chunk->capacity - chunk->used)
        chunk = take_chunk(arena, next_capacity(arena, size));
    if (!chunk)
        return NULL;
    void *memory = chunk->bytes + chunk->used;
    chunk->used += size;
    arena->is_busy |= chunk->used > ARENA_REST_BYTES;
    return memory;
}

void *arena_allocate_array(struct arena *arena, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return fail(arena, false);
    void *memory = arena_allocate(arena, total);
    if (memory)
        memset(memory, 0, total);
    return memory;
}

void arena_shorten(struct arena *arena, const void *end)
{
    struct chunk *chunk = arena->current;
    size_t used = (size_t)((uintptr_t)end - (uintptr_t)chunk->bytes);
    if (used <= chunk->used)
        chunk->used = (used + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){arena->current, arena->current->used};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    struct chunk *chunk = arena->current;
    if (!arena->failed && chunk == mark.chunk && mark.used <= chunk->used)
        chunk->used = mark.used > chunk->kept ? mark.used : chunk->kept;
}

void arena_keep(struct arena *arena)
{
    arena->current->kept = arena->current->used;
}

static void *yyjson_malloc(void *context, size_t size)
{
    return arena_allocate(context, size);
}

/*
 * A large block has its chunk for itself, and the system can make that larger without a second one. A reader
 * that grows its block step by step would leave all the smaller ones behind otherwise.
 */
static void *grow_chunk(struct arena *arena, size_t capacity)
{
    struct chunk *chunk = arena->current;
    size_t more = capacity - chunk->capacity;
    bool is_granted = may_take(arena, more);
    struct chunk *grown = is_granted ? realloc(chunk, sizeof(*chunk) + capacity) : NULL;
    if (!grown)
        return fail(arena, !is_granted && fits_below(arena, more, arena->limit));
    grown->capacity = grown->used = capacity;
    arena->current = grown;
    arena->taken += more;
    return grown->bytes;
}

/* The block that was allocated last grows and shrinks in place. */
static void *yyjson_realloc(void *context, void *memory, size_t old_size, size_t size)
{
    struct arena *arena = context;
    struct chunk *chunk = arena->current;
    size_t old_rounded = (old_size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (size > SIZE_LIMIT)
        return fail(arena, false);
    size_t rounded = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if ((char *)memory + old_rounded == chunk->bytes + chunk->used &&
        rounded <= chunk->capacity - (chunk->used - old_rounded)) {
        chunk->used = chunk->used - old_rounded + rounded;
        return memory;
    }
    if (size <= old_size)
        return memory;
    if (memory == chunk->bytes && chunk->used == old_rounded && chunk->capacity > ARENA_KEEP_BYTES)
        return grow_chunk(arena, rounded);
    void *grown = arena_allocate(arena, size);
    if (grown)
        memcpy(grown, memory, old_size);
    return grown;
}

static void yyjson_free(void *context, void *memory)
{
    (void)context;
    (void)memory;
}

yyjson_alc arena_yyjson(struct arena *arena)
{
    return (yyjson_alc){yyjson_malloc, yyjson_realloc, yyjson_free, arena};
}

/*
 * arena.h: the memory of one review.
 *
 * Everything that judging allocates comes from one arena and goes at once: nothing in policy/ frees what it
 * took. An arena is reused from review to review, so a busy loop allocates nothing from the system; what a
 * large review took beyond ARENA_KEEP_BYTES goes back to the system on reset, and what is kept for large ones
 * when none of them came for a while. Not thread-safe: one arena for each event loop.
 */
#ifndef APPLYGUARD_BASE_ARENA_H
#define APPLYGUARD_BASE_ARENA_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/*
 * What an arena holds on to from review to review: enough for one of a MiB. New memory costs a large review
 * more than judging it, as the system hands it out cleared and page by page.
 */
#define ARENA_KEEP_BYTES ((size_t)3 * 1024 * 1024)

/* What it holds on to at rest: enough for reviews of common size (an 8 KB review takes about 60 KiB). */
#define ARENA_REST_BYTES ((size_t)1024 * 1024)

struct arena;

/* Returns NULL if there is no memory. */
struct arena *arena_create(void);

/* Accepts NULL. */
void arena_destroy(struct arena *arena);

/* Forgets everything allocated since the last reset; pointers into the arena are void from here on. */
void arena_reset(struct arena *arena);

/*
 * Gives back what an arena that was reset keeps beyond ARENA_REST_BYTES, if no review has needed as much
 * since the last call. Called now and then.
 */
void arena_rest(struct arena *arena);

/*
 * From here on the arena takes no more than `bytes` from the system: allocations beyond that fail as if there
 * was no memory. SIZE_MAX, as in the beginning, is no limit.
 */
void arena_limit(struct arena *arena, size_t bytes);

/* What the arena has taken from the system and not given back yet. */
size_t arena_taken(const struct arena *arena);

/*
 * Whether an allocation failed since the last reset. Whoever uses what was made in the arena asks this at the
 * end: then nothing in between needs more than not to crash.
 */
bool arena_has_failed(const struct arena *arena);

/*
 * Returns `size` bytes, aligned for any type and not cleared, or NULL if there is no memory or `size` is more
 * than an object may have. The bytes live until arena_reset or arena_destroy.
 */
void *arena_allocate(struct arena *arena, size_t size);

/* The same for `count` elements of `size` bytes, cleared; the product is checked for overflow. */
void *arena_allocate_array(struct arena *arena, size_t count, size_t size);

/* Gives the end of the block that was allocated last back to the arena: `end` is where it is to end, now. */
void arena_shorten(struct arena *arena, const void *end);

/* A copy of the slice's bytes; an empty slice with NULL bytes if there is no memory. */
struct slice arena_copy(struct arena *arena, struct slice text);

/* The arena as yyjson wants it: documents read with it are freed with the arena, not with yyjson_doc_free. */
yyjson_alc arena_yyjson(struct arena *arena);

#endif

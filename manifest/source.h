/*
 * source.h: where the bytes of an input come from.
 */
#ifndef APPLYGUARD_MANIFEST_SOURCE_H
#define APPLYGUARD_MANIFEST_SOURCE_H

#include <stddef.h>

/*
 * Reads up to `size` bytes. Returns how many; 0 at the end; -1 with errno if reading fails, which ends the
 * input.
 */
typedef ptrdiff_t manifest_read(void *context, void *bytes, size_t size);

/* For a file descriptor: `context` points to an int. */
ptrdiff_t manifest_read_file(void *context, void *bytes, size_t size);

/* For text in memory: `context` points to a struct slice, which shrinks. */
ptrdiff_t manifest_read_slice(void *context, void *bytes, size_t size);

#endif

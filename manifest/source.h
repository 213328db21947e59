/* source.h: the sources of an input's bytes. */
#ifndef APPLYGUARD_MANIFEST_SOURCE_H
#define APPLYGUARD_MANIFEST_SOURCE_H

#include <stddef.h>

/*
 * Reads up to `size` bytes. Returns their number; 0 at the end; -1 and errno if reading fails, which ends the
 * input.
 */
typedef ptrdiff_t manifest_read(void *context, void *bytes, size_t size);

/* For a file descriptor: `context` points to an int. */
ptrdiff_t manifest_read_file(void *context, void *bytes, size_t size);

/* The limit of one file or pipe that a command reads. A List of all objects of a cluster can be large. */
#define MANIFEST_FILE_BYTES_MAX ((size_t)256 * 1024 * 1024)

struct manifest_bounded_file {
    int descriptor;
    size_t left; /* the number of bytes that may still be read */
};

/* Reads from a struct manifest_bounded_file. If the file is larger, reading fails with EFBIG. */
ptrdiff_t manifest_read_bounded_file(void *context, void *bytes, size_t size);

/* For text in memory: `context` points to a struct slice, which shrinks. */
ptrdiff_t manifest_read_slice(void *context, void *bytes, size_t size);

#endif

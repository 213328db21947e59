/*
 * input.h: the files that a test names.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_INPUT_H
#define APPLYGUARD_COMMANDS_POLICYTEST_INPUT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

#include <stddef.h>

/* The limit of a review or an object: the API server takes requests of 3 MiB, and a review holds two. */
#define TEST_INPUT_BYTES_MAX ((size_t)16 * 1024 * 1024)

/*
 * `path` as seen from the folder of the file `base`, ending with a NUL that is not counted. NULL bytes if
 * there is no memory.
 */
struct slice input_path(const char *base, struct slice path, struct arena *arena);

/*
 * Reads a regular file into the arena. -1 and an error that does not name the file. Of FIFOs and devices
 * nothing is read: a test that waits for a writer would wait for ever.
 */
int input_read(const char *path, size_t limit, struct arena *arena, struct slice *text, struct error *error);

#endif

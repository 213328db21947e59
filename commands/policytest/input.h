/*
 * input.h: the files that a test names.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_INPUT_H
#define APPLYGUARD_COMMANDS_POLICYTEST_INPUT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

#include <stddef.h>

/*
 * The limit of a review or an object: the API server accepts requests of 3 MiB, and a review contains two
 * objects.
 */
#define TEST_INPUT_BYTES_MAX ((size_t)16 * 1024 * 1024)

/*
 * `path` relative to the directory of the file `base`, with a NUL behind it. NULL bytes if memory runs out.
 */
struct slice input_path(const char *base, struct slice path, struct arena *arena);

/*
 * Reads a regular file into the arena. Returns -1 and sets an error that does not name the file. Refuses
 * FIFOs and devices: a test that waits for a writer might wait for ever.
 */
int input_read(const char *path, size_t limit, struct arena *arena, struct slice *text, struct error *error);

#endif

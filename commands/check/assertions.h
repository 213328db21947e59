/*
 * assertions.h: files of tests that say what a cluster should have, in the form of manifests.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_ASSERTIONS_H
#define APPLYGUARD_COMMANDS_CHECK_ASSERTIONS_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the name of a file is that of an assertion of kuttl: 00-assert.yaml, 01-errors.yaml. */
bool assertion_is_of_kuttl(const char *path);

/* Files that tests of chainsaw name in assert or error. All zero is empty. */
struct assertions {
    struct slice *items; /* without . and ..; sorted once all are added */
    size_t count;
    size_t capacity;
};

/*
 * Adds the files that a test names, if the file is a test. If memory runs out, arena_has_failed() reports
 * that.
 */
void assertions_add(struct assertions *assertions, const char *path, struct arena *arena);

void assertions_sort(struct assertions *assertions);

bool assertions_have(const struct assertions *assertions, const char *path, struct arena *arena);

#endif

/*
 * test_files.h: files of tests in the form of manifests: what a cluster should have, and objects that a test
 * judges without any cluster.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_TEST_FILES_H
#define APPLYGUARD_COMMANDS_CHECK_TEST_FILES_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct test_file {
    struct slice path;  /* without . and .. */
    const char *reason; /* to pass over the file, or all files of a folder; NULL: `path` is the folder of a
                           test, which applies its files one after the other */
};

/* Files that tests name. All zero is empty. */
struct test_files {
    struct test_file *items; /* sorted once all are added */
    size_t count;
    size_t capacity;
};

/*
 * Adds the files that a test names, if the file is a test. If memory runs out, arena_has_failed() reports
 * that.
 */
void test_files_add(struct test_files *files, const char *path, struct arena *arena);

void test_files_sort(struct test_files *files);

/* Why to pass over a file that was found in a directory. NULL: it is not such a file. */
const char *test_files_reason(const struct test_files *files, const char *path, struct arena *arena);

/* Whether a test is in the folder of the file: its files are not applied together. */
bool test_files_are_steps(const struct test_files *files, const char *path, struct arena *arena);

#endif

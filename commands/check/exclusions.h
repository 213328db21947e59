/*
 * exclusions.h: files that a user excludes, by patterns as in a .gitignore file.
 *
 * A pattern without a slash matches a name in any directory. With a slash at its start or in the middle, it
 * matches a path relative to the directory of the pattern. A slash at its end matches only directories, **
 * matches any number of directories, and ! includes a file again. A directory that matches is excluded with
 * all its content.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_EXCLUSIONS_H
#define APPLYGUARD_COMMANDS_CHECK_EXCLUSIONS_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

#define EXCLUSIONS_FILE ".applyguardignore"

struct exclusion {
    struct slice pattern;
    struct slice folder; /* of the pattern, with the last slash; empty: the current directory */
    bool is_anchored;
    bool is_for_folders;
    bool is_negated;
};

struct exclusions {
    struct arena *arena; /* NULL while there are no patterns */
    struct exclusion *items;
    size_t count;
    size_t capacity;
};

/* Adds a pattern in the form of a line of the file. Returns false if memory runs out. */
bool exclusions_add(struct exclusions *exclusions, struct slice pattern, struct slice folder);

/* Adds the patterns of the directory's .applyguardignore, if it has one. Returns false if memory runs out. */
bool exclusions_read(struct exclusions *exclusions, const char *folder);

/*
 * Forgets the patterns that were added last, up to the first ones whose directory is `folder` (with its last
 * slash) or above it.
 */
void exclusions_leave(struct exclusions *exclusions, struct slice folder);

bool exclusions_match(const struct exclusions *exclusions, const char *path);

void exclusions_release(struct exclusions *exclusions);

#endif

/*
 * exclusions.h: files that a user leaves out, by patterns as in a .gitignore file.
 *
 * A pattern without a slash matches a name in any folder. With a slash at its start or in the middle it
 * matches a path from the folder that the pattern belongs to. A slash at its end matches folders only, ** any
 * number of folders, and ! takes a file in again. A folder that matches is left out with all that is in it.
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
    struct slice folder; /* that it belongs to, with the last slash; empty: the current one */
    bool is_anchored;
    bool is_for_folders;
    bool is_negated;
};

struct exclusions {
    struct arena *arena; /* NULL while there is no pattern */
    struct exclusion *items;
    size_t count;
    size_t capacity;
};

/* Adds a pattern, as a line of the file is. False if there is no memory. */
bool exclusions_add(struct exclusions *exclusions, struct slice pattern, struct slice folder);

/* Adds the patterns of the folder's .applyguardignore, if it has one. False if there is no memory. */
bool exclusions_read(struct exclusions *exclusions, const char *folder);

bool exclusions_match(const struct exclusions *exclusions, const char *path);

void exclusions_release(struct exclusions *exclusions);

#endif

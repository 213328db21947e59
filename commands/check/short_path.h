/* short_path.h: paths in their shortest form, to compare them, without reading the file system. */
#ifndef APPLYGUARD_COMMANDS_CHECK_SHORT_PATH_H
#define APPLYGUARD_COMMANDS_CHECK_SHORT_PATH_H

#include "base/arena.h"
#include "base/slice.h"

/* Returns NULL if memory runs out. */
const char *short_path(const char *path, struct arena *arena);

/* The same of a name that is relative to the folder. */
const char *short_path_in(struct slice folder, struct slice name, struct arena *arena);

#endif

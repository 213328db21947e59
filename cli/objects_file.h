/*
 * objects_file.h: the objects of a file, found by the manifests that they are of: --live and --previous of
 * preview.
 */
#ifndef APPLYGUARD_CLI_OBJECTS_FILE_H
#define APPLYGUARD_CLI_OBJECTS_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/manifest.h"

#include <stdbool.h>

struct file_objects;

/*
 * Reads all objects of a file ("-": standard input) into the arena. NULL and an error, with its place, if one
 * of them cannot be read.
 */
struct file_objects *file_objects_read(const char *path, struct arena *arena, struct error *error);

/*
 * The object that a manifest is of, as JSON; NULL bytes: it is not among them. `namespace` is where the
 * manifest goes if it names none. Its version may be another one of its group.
 */
struct slice file_objects_find(
    struct file_objects *objects, const struct manifest_object *manifest, struct slice namespace);

/*
 * The same for KIND/NAME (preview_operand.h); `namespace` is empty for any. -1 and an error if it is none of
 * them, or several.
 */
int file_objects_find_named(
    struct file_objects *objects, const char *operand, struct slice namespace, struct slice *json,
    struct error *error);

/* Where one of them, as JSON that was found, begins in the file. Line 0: it is none of them. */
struct manifest_place file_objects_place(const struct file_objects *objects, struct slice json);

/* The next one that was not found, as JSON, in the order of the file. NULL bytes: that was the last. */
struct slice file_objects_next_unused(struct file_objects *objects);

/* "Deployment web", the first of the file, if none of the objects was found; empty otherwise. */
struct slice file_objects_first_if_unused(const struct file_objects *objects, struct arena *arena);

#endif

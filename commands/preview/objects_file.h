/* objects_file.h: the objects of a file, found by their manifests: --live and --previous of preview. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_OBJECTS_FILE_H
#define APPLYGUARD_COMMANDS_PREVIEW_OBJECTS_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/manifest.h"

#include <stdbool.h>

struct file_objects;

/*
 * Reads all objects of a file ("-": standard input) into the arena. Returns NULL and sets the error, with its
 * place, if an object cannot be read.
 */
struct file_objects *file_objects_read(const char *path, struct arena *arena, struct error *error);

/* The same without any object. Returns NULL if memory runs out. */
struct file_objects *file_objects_new(struct arena *arena);

/*
 * Adds the objects of a text, such as a List, except for objects that it already has; `is_used`: as if they
 * were found. file_objects_find does not find them. Returns -1 and sets the error.
 */
int file_objects_add_text(
    struct file_objects *objects, struct slice text, bool is_used, struct arena *arena, struct error *error);

struct found_object {
    struct slice json; /* bytes NULL: the files lack the object */
    struct manifest_place place;
};

/*
 * The object of a manifest. `namespace` is used if the manifest names none. The object may have another
 * version of the manifest's group.
 */
struct found_object file_objects_find(
    struct file_objects *objects, const struct manifest_object *manifest, struct slice namespace);

/*
 * Finds KIND/NAME (operand.h); `namespace` is empty for any. Returns -1 and sets the error if no
 * object matches, or several do.
 */
int file_objects_find_named(
    struct file_objects *objects, const char *operand, struct slice namespace, struct slice *json,
    struct error *error);

/* The next object that was not found, as JSON, in the order of the file. NULL bytes after the last one. */
struct slice file_objects_next_unused(struct file_objects *objects);

/*
 * The next object that was found, as JSON, from `*position` on, which begins with 0. NULL bytes after the
 * last one.
 */
struct slice file_objects_next_used(const struct file_objects *objects, size_t *position);

/* "Deployment web", the first object of the file, if none was found; otherwise empty. */
struct slice file_objects_first_if_unused(const struct file_objects *objects, struct arena *arena);

#endif

/*
 * each_object.h: the objects of manifests, one after another.
 */
#ifndef APPLYGUARD_CLI_EACH_OBJECT_H
#define APPLYGUARD_CLI_EACH_OBJECT_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/manifest.h"

#include <stdbool.h>

/*
 * What cannot be read is complained of, and what comes after it is visited. `path` is where it was read; it
 * and the object live until the call returns.
 */
struct object_visitor {
    void (*visit)(void *context, const char *path, const struct manifest_object *object);
    void (*complain)(void *context, const char *path, const struct error *error);
    void *context;
};

/*
 * Those of a file, of the files in a directory, or of standard input if `path` is "-". That there is none is
 * complained of.
 */
void each_object_in(const char *path, bool is_recursive, const struct object_visitor *visitor);

/* Those of an input. */
void each_object_of(const char *path, manifest_read *read, void *input, const struct object_visitor *visitor);

/*
 * What is wrong with an object, after its kind, namespace and name, and where it begins. `has_place` is false
 * for an object that is in no file.
 */
void object_error(
    const struct manifest_object *object, bool has_place, const struct error *error, struct arena *arena,
    struct error *named);

#endif

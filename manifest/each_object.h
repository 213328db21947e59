/* each_object.h: calls a visitor for each object of manifests. */
#ifndef APPLYGUARD_MANIFEST_EACH_OBJECT_H
#define APPLYGUARD_MANIFEST_EACH_OBJECT_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/manifest.h"

#include <stdbool.h>

/*
 * Errors are printed, and reading continues behind them. `path` is the input; `path` and the object are valid
 * during the call.
 */
struct object_visitor {
    void (*visit)(void *context, const char *path, const struct manifest_object *object);
    void (*complain)(void *context, const char *path, const struct error *error);
    void *context;
};

/*
 * Visits the objects of a file, of the files in a directory, or of standard input if `path` is "-". An input
 * without objects is an error.
 */
void each_object_in(const char *path, bool is_recursive, const struct object_visitor *visitor);

/* Visits the objects of an input. */
void each_object_of(const char *path, manifest_read *read, void *input, const struct object_visitor *visitor);

/*
 * Sets an error with the object's kind, namespace and name before the problem, and its place. `has_place` is
 * false for an object without a file.
 */
void object_error(
    const struct manifest_object *object, bool has_place, const struct error *error, struct arena *arena,
    struct error *named);

#endif

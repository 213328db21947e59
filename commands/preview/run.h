/* run.h: a run of preview, over all its manifests. Private to preview/. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_RUN_H
#define APPLYGUARD_COMMANDS_PREVIEW_RUN_H

#include "commands/preview/preview.h"
#include "commands/preview/sources.h"

struct preview_run {
    const struct preview_request *request;
    const struct preview_caller *caller;
    struct preview_sources sources;
    struct arena *arena; /* for one object */
    bool has_failed;     /* an input or an object could not be read */
    bool is_unreachable; /* the cluster; the first object that needed it had an error */
    size_t unreached;    /* the number of the objects after it */
};

/* Complains about an input, and notes that the run failed. */
void preview_complain(struct preview_run *run, const char *path, const struct error *error);

/*
 * Prints a preview, unless it is NULL: then the error is set already. Returns -1 with the error set if it is
 * NULL or cannot be printed.
 */
int preview_print(struct preview_run *run, const struct preview *preview, struct error *error);

/* Opens a text that holds one object, which is valid until the reader is closed. NULL and the error if it
 * fails. */
struct manifest_reader *preview_open_object(
    struct slice text, struct manifest_object *object, struct error *error);

/* Previews an object of a manifest: `path` is its input. */
void preview_manifest(struct preview_run *run, const char *path, const struct manifest_object *object);

/* Previews KIND/NAME without a manifest: its last apply is applied again. */
void preview_named(struct preview_run *run, const char *operand);

/* Previews the objects of --previous that have no manifest any more. */
void preview_dropped(struct preview_run *run);

/* Previews the objects of --previous, or else of --live, that have no manifest, if a tool prunes them. */
void preview_pruned(struct preview_run *run);

#endif

/*
 * sources.h: where the live objects, the former manifests and the schemas of a run come from: from files, or
 * from the cluster. Private to preview/.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_SOURCES_H
#define APPLYGUARD_COMMANDS_PREVIEW_SOURCES_H

#include "apply/custom_types.h"
#include "apply/merge/value.h"
#include "commands/preview/objects_file.h"
#include "commands/preview/request.h"

struct preview_sources {
    const struct preview_request *request;
    const struct preview_caller *caller;
    struct file_objects *live;       /* NULL: they are in the cluster */
    struct file_objects *previous;   /* NULL: unknown */
    struct cluster *cluster;         /* NULL: not asked yet */
    struct file_objects *candidates; /* live objects of the cluster, if a tool prunes: objects of the
                                        manifests are marked as used; NULL: they are not collected */
    struct slice *namespaces;        /* of the manifests, if a tool prunes */
    size_t namespace_count;
    size_t namespace_capacity;
    struct custom_types types;
    struct manifest_object kustomization; /* the last one that was looked for */
    struct slice kustomization_json;      /* NULL bytes: it was not found */
    struct arena *arena;                  /* for the run */
};

/* A live object in memory of an arena. */
struct preview_live {
    yyjson_val *json;            /* NULL: the object does not exist */
    struct manifest_place place; /* in the file; line 0: it is of the cluster */
};

/*
 * The live object of a manifest; `live` is unchanged if the object does not exist. Returns -1 and sets the
 * error.
 */
int preview_find_live(
    struct preview_sources *sources, const struct manifest_object *object, struct arena *arena,
    struct preview_live *live, struct error *error);

/*
 * The text of the live object KIND/NAME, in memory of `arena`. Returns -1 and sets the error, also if the
 * object does not exist.
 */
int preview_find_named(
    struct preview_sources *sources, const char *operand, struct arena *arena, struct slice *json,
    struct error *error);

/*
 * The Kustomization of Flux that the labels of a live object name, as JSON; NULL bytes if they name none, or
 * it is not known: without an error, because Flux's rights to it may be missing.
 */
struct slice preview_find_kustomization(struct preview_sources *sources, const struct value *live);

/* The object in the former manifests, as JSON; NULL bytes if they lack it, or are unknown. */
struct slice preview_find_previous(
    const struct preview_sources *sources, const struct manifest_object *object);

/* The schema of a custom resource; empty if it is unknown, also to the cluster. */
struct slice preview_find_schema(struct preview_sources *sources, const struct manifest_object *object);

/* The namespace of objects that name none. */
struct slice preview_namespace(const struct preview_sources *sources);

#endif

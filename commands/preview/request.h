/* request.h: a run of preview: its manifests, how they are applied, and what the caller does for it. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_REQUEST_H
#define APPLYGUARD_COMMANDS_PREVIEW_REQUEST_H

#include "apply/question.h"
#include "base/names.h"
#include "kubectl/cluster.h"

struct preview;

struct preview_request {
    struct names files; /* manifests; none: each operand is a live object, to which its last apply is applied
                           again */
    struct names crds;  /* files with definitions of custom resources */
    bool is_recursive;
    const char *const *operands; /* KIND/NAME; none: all objects of the manifests */
    size_t operand_count;
    const char *live;      /* a file with the live objects; NULL: the cluster's */
    const char *previous;  /* a file with the former manifests, or NULL */
    const char *namespace; /* of objects that name none; NULL: that of the cluster's context */
    enum apply_tool applier;
    const char *manager; /* NULL: the applier's own */
    bool is_forced;
    bool prunes;           /* also previews objects that the manifests no longer have */
    const char *selector;  /* the objects that it prunes, or NULL */
    const char *apply_set; /* the same */
    const struct policy *policy;
    const char *user;         /* the user who would apply, or NULL */
    struct slice_list groups; /* of this user */
    int64_t now;              /* seconds since 1970 UTC */
};

/* The functions that a run calls. */
struct preview_caller {
    /* Opens the cluster; the run closes it. Returns NULL and sets the error. */
    struct cluster *(*connect)(void *context, struct error *error);
    /* Prints a preview. Returns -1 and sets the error if this is not possible. */
    int (*print)(void *context, const struct preview *preview, struct error *error);
    /* Prints why an input, or an object in it, has no preview. */
    void (*complain)(void *context, const char *path, const struct error *error);
    void *context;
};

/*
 * Previews all objects; `arena` is for the run. Returns -1 if an input or an object could not be read, after
 * complaining about it.
 */
int preview_run(
    const struct preview_request *request, const struct preview_caller *caller, struct arena *arena);

#endif

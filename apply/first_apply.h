/*
 * first_apply.h: the review that the API server would send if an object were applied to a cluster that lacks
 * it.
 *
 * It has no defaults, and nothing that webhooks or the API server add: rules that ask which fields a manifest
 * declares do not need these.
 */
#ifndef APPLYGUARD_APPLY_FIRST_APPLY_H
#define APPLYGUARD_APPLY_FIRST_APPLY_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "manifest/kinds.h"
#include "manifest/manifest.h"
#include "policy/review/review.h"

#include <stdint.h>

enum apply_mode { APPLY_CLIENT_SIDE, APPLY_SERVER_SIDE };

/* The user and the mode of an apply. */
struct applier {
    enum apply_mode mode;
    struct slice user;        /* empty: unknown */
    struct slice_list groups; /* empty: unknown */
    struct slice namespace; /* the namespace of objects that name none; empty: `default`, and no namespace for
                               custom resources */
    int64_t now;            /* seconds since 1970 UTC */
    struct slice time;      /* the same, as entries of managedFields have it; empty: unknown */
};

struct first_apply {
    const struct review *review;
    struct slice last_applied; /* the annotation that kubectl writes, with its line break; empty: none */
    enum kind_scope scope;
    struct slice group_kind; /* Deployment.apps; ConfigMap for the core group */
    struct slice namespace;  /* empty: none, or unknown */
    struct slice name;       /* empty: none */
};

/* The identity of an object, without its review. It lives in the arena. Returns false if memory runs out. */
bool first_apply_identify(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct first_apply *made);

/*
 * Adds the review to the identity. It lives in the arena, and points into the object and the applier. Returns
 * 0, or -1 and sets the error if memory runs out.
 */
int first_apply_make(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct first_apply *made, struct error *error);

/*
 * The object in its namespace. If `namespace` is empty, the object gets none, even if its manifest names one:
 * kubectl and the API server remove the namespace of a cluster-scoped object. Returns NULL if memory runs
 * out.
 */
const struct manifest_node *first_apply_place(
    const struct manifest_node *object, struct slice namespace, struct arena *arena);

/*
 * The object as kubectl sends it for a client-side apply: with its original text in the annotation
 * last-applied-configuration, which is returned as well. Returns NULL if memory runs out.
 */
const struct manifest_node *first_apply_annotate(
    const struct manifest_node *object, struct arena *arena, struct slice *last_applied);

#endif

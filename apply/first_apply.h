/*
 * first_apply.h: the review that the API server would ask for if an object were applied to a cluster that
 * does not have it.
 *
 * Defaults and what webhooks and the API server add are not in it: for rules that ask what a manifest
 * declares this makes no difference.
 */
#ifndef APPLYGUARD_APPLY_FIRST_APPLY_H
#define APPLYGUARD_APPLY_FIRST_APPLY_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "manifest/manifest.h"
#include "policy/review/review.h"

#include <stdint.h>

enum apply_way { APPLY_CLIENT_SIDE, APPLY_SERVER_SIDE };

/* Who applies, and how. */
struct applier {
    enum apply_way way;
    struct slice user;        /* empty: not known */
    struct slice_list groups; /* likewise */
    struct slice namespace;   /* where objects go that name none; empty: default, and custom resources nowhere
                               */
    int64_t now;              /* seconds since 1970 UTC */
};

struct first_apply {
    const struct review *review;
    struct slice last_applied; /* the annotation that kubectl writes, with its line break; empty: none */
    struct slice group_kind;   /* Deployment.apps; ConfigMap for the core group */
    struct slice namespace;    /* empty: none, or nobody knows whether there is one */
};

/*
 * In memory of the arena. The review points into the object and the applier. Returns 0, or -1 with an error:
 * no memory.
 */
int first_apply_make(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct first_apply *made, struct error *error);

/* What makes an object the same as another one: its group and kind, and where it goes. */
bool first_apply_identify(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct first_apply *made);

/*
 * The object in its namespace. If that is empty, the object has none, whatever its manifest says: kubectl and
 * the API server take it out of what belongs to the cluster. NULL if there is no memory.
 */
const struct manifest_node *first_apply_place(
    const struct manifest_node *object, struct slice namespace, struct arena *arena);

/*
 * The object with the annotation of what it was, as kubectl sends it for a client-side apply, and the
 * annotation. NULL if there is no memory.
 */
const struct manifest_node *first_apply_annotate(
    const struct manifest_node *object, struct arena *arena, struct slice *last_applied);

#endif

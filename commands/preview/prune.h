/*
 * prune.h: what becomes of live objects that the manifests no longer have, when a tool prunes. Private to
 * preview/.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_PRUNE_H
#define APPLYGUARD_COMMANDS_PREVIEW_PRUNE_H

#include "apply/merge/value.h"
#include "commands/preview/result.h"

/* The objects that a tool prunes. */
struct prune {
    enum apply_tool applier;
    struct slice selector;    /* of labels, as kubectl -l has it; empty: none */
    struct slice apply_set;   /* the ID of an ApplySet; empty: none */
    bool is_former;           /* the object is from the former manifests, so it belongs to the set */
    bool is_off;              /* the tool does not prune: spec.prune of the Kustomization */
    struct slice_list owners; /* of the objects that the manifests still have (prune_owner) */
};

struct pruned {
    enum preview_dropped dropped;
    const char *reason; /* NULL if it is DROPPED_NOT: the object is not of the set */
};

/* NULL, or why the text is not a selector that this program can read. */
const char *prune_selector_problem(struct slice selector);

/* Whether a map of labels, or NULL, is selected; the text must be a selector. */
bool prune_selects(struct slice selector, const struct value *labels);

/*
 * The ID of an ApplySet, from itself or from the name of its Secret, kubectl's default parent. Empty for an
 * empty text, or if memory runs out.
 */
struct slice prune_apply_set(struct slice name_or_id, struct slice namespace, struct arena *arena);

/* The Kustomization or Application to which the tool's marks on an object belong; empty: none. */
struct slice prune_owner(enum apply_tool applier, const struct value *object, struct arena *arena);

/* The kinds that kubectl prunes by a selector, each as Deployment.apps, of the version v1 of their group. */
const char *const *prune_kinds(size_t *count);

/* `group_kind` is as Deployment.apps. */
struct pruned prune_decide(
    const struct prune *prune, const struct value *live, struct slice group_kind, struct arena *arena);

#endif

/*
 * outcome.h: the object and its owners after an apply. Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_OUTCOME_H
#define APPLYGUARD_APPLY_OUTCOME_H

#include "apply/live.h"
#include "manifest/node.h"

struct attempt {
    struct schema_ref type;
    const struct live *live;             /* NULL: the object is not there */
    const struct manifest_node *applied; /* what the applier sends */
    const struct value *manifest;        /* the same without what the API server makes itself */
    /* What a client-side upgrade of Helm merges the manifest with; NULL: kubectl's annotation tells. */
    const struct value *previous;
    struct manager manager;
    bool is_forced;
    bool is_custom;          /* the applier has no type of its kind, and merges it as JSON */
    bool compares_manifests; /* what is sent follows from `previous` and the manifest alone */
};

struct outcome {
    const struct value *before; /* what the merge begins with; never NULL */
    const struct value *after;
    size_t applier;                     /* of the live entries; their count: it has none yet */
    const struct field_set **remaining; /* of each entry, and of the applier */
    const struct field_set **conflicts; /* of each entry */
    const struct field_set *kept;
    const struct field_set *fields;  /* what the applier has afterwards */
    const struct field_set *unknown; /* of the manifest, and not stored: the schema does not have them */
    bool has_conflicts;
    bool is_unsent; /* kubectl sees that nothing changes, and sends nothing */
};

/* Returns 0; 1 and a sentence if the API server refuses it; -1 and an error. */
int outcome_of_server_side(
    const struct attempt *attempt, struct arena *arena, struct outcome *outcome, struct error *error);

/*
 * The same of kubectl apply, Helm 3 and Argo CD, which ask nobody: what conflicts is taken. Sentences are
 * also their own refusals.
 */
int outcome_of_client_side(
    const struct attempt *attempt, struct arena *arena, struct outcome *outcome, struct error *error);

/* The live entry that the apply writes; the count of all if there is none yet. */
size_t outcome_find_applier(const struct attempt *attempt);

/* The annotation last-applied-configuration of an object; NULL: it has none. */
const struct value *outcome_last_applied(const struct value *object);

#endif

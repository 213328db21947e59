/* outcome.h: the object and its owners after an apply. Private to this component. */
#ifndef APPLYGUARD_APPLY_OUTCOME_H
#define APPLYGUARD_APPLY_OUTCOME_H

#include "apply/live.h"
#include "apply/merge/typed.h"
#include "manifest/node.h"

struct attempt {
    struct schema_ref type;
    yyjson_val *openapi;                 /* of a custom resource; NULL: none is known */
    const struct live *live;             /* NULL: the object does not exist */
    const struct manifest_node *applied; /* the object that the applier sends */
    const struct value *manifest;        /* the same without fields that the API server sets */
    /* The manifest that a client-side upgrade of Helm compares with; NULL: use kubectl's annotation. */
    const struct value *previous;
    struct manager manager;
    bool is_forced;
    bool is_custom;          /* the applier lacks the Go type, and merges the object as JSON */
    bool compares_manifests; /* only `previous` and the manifest decide what is sent */
};

struct outcome {
    const struct value *before; /* the object before the merge; never NULL */
    const struct value *after;
    struct comparison change;           /* from the one to the other; not set if the object did not exist */
    size_t applier;                     /* the index of the live entry; their count: it has none yet */
    const struct field_set **remaining; /* the fields of each entry, and of the applier */
    const struct field_set **conflicts; /* of each entry */
    const struct field_set *kept;       /* fields that the applier gives up, but that stay */
    const struct field_set *fields;     /* the applier's fields afterwards */
    const struct field_set *unknown; /* fields of the manifest that are not stored: the schema lacks them */
    bool has_conflicts;
    bool is_unsent; /* kubectl finds no change, and sends nothing */
};

/* Returns 0; 1 and a sentence if the API server refuses the apply; -1 and sets the error. */
int outcome_of_server_side(
    const struct attempt *attempt, struct arena *arena, struct outcome *outcome, struct error *error);

/*
 * Does the same for kubectl apply, Helm 3 and Argo CD, which check no conflicts: they take conflicting
 * fields. These tools refuse some applies themselves, also with a sentence.
 */
int outcome_of_client_side(
    const struct attempt *attempt, struct arena *arena, struct outcome *outcome, struct error *error);

/* The live entry that the apply writes; the number of entries if it does not exist yet. */
size_t outcome_find_applier(const struct attempt *attempt);

/*
 * The stored object with the API server's defaults in place of fields that the apply drops. An object that is
 * created is shown without them. Returns NULL if memory runs out, or `stored` is NULL.
 */
const struct value *outcome_with_defaults(
    const struct attempt *attempt, const struct value *stored, struct arena *arena);

/* Sets the outcome's change, if the object existed and memory has not run out. */
void outcome_compare(const struct attempt *attempt, struct arena *arena, struct outcome *outcome);

/* The annotation last-applied-configuration of an object; NULL: it has none. */
const struct value *outcome_last_applied(const struct value *object);

#endif

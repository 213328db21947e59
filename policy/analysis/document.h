/*
 * document.h: the facts that a manifest shows in addition to its object: its text, and the declarations of
 * other manifests about the object. The rules of the scope manifest judge it.
 *
 * Everything that it points to outlives the judging.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_DOCUMENT_H
#define APPLYGUARD_POLICY_ANALYSIS_DOCUMENT_H

#include "base/slice.h"
#include "manifest/manifest.h"
#include "policy/analysis/crd_topology.h"
#include "policy/analysis/manifest_set.h"

/* A field that a document of another source declares, too. */
struct document_overlap {
    struct slice field;
    const struct document_place *place; /* where it is declared first */
};

/* The declarations of the other manifests about an object. All empty: nothing. */
struct other_manifests {
    const struct document_place *first; /* declares the object before this one does, and is applied with it */
    bool is_alternative; /* `first` is in another directory, which may be applied elsewhere, or in another
                            file of a directory of alternatives */
    const struct manifest_autoscaler *autoscaler; /* of the replicas that the document declares */
    bool is_shared; /* other sources declare the object, too: what this one omits may be in theirs */
    const struct document_overlap *overlaps; /* fields that another source declares before this one does */
    size_t overlap_count;
    const struct crd_topology *topology; /* of an earlier CustomResourceDefinition of the same name; NULL:
                                            none with a difference */
    const struct document_place *topology_place; /* of that one */
    bool is_topology_alternative; /* it does not come before this one, but may be applied in place of it */
};

/* How a document contradicts the schema of its kind. */
enum document_problem_kind {
    DOCUMENT_UNKNOWN_KIND,    /* a group of Kubernetes has no such kind */
    DOCUMENT_REMOVED_VERSION, /* no supported Kubernetes serves the kind in this version */
    DOCUMENT_UNKNOWN_FIELD,   /* the kind has no such field */
    DOCUMENT_WRONG_TYPE,
    DOCUMENT_SAME_ITEM, /* an item before it has the same keys, which a server-side apply refuses */
};

struct document_problem {
    enum document_problem_kind kind;
    struct slice field;  /* printed; empty for a kind */
    const char *is;      /* of a wrong type: "string", …; of a version: the first Kubernetes without it */
    const char *must_be; /* the same; the version that replaces it */
    const char *nearest; /* of an unknown name: the one that is meant; NULL: none is like it */
    unsigned line, column;
};

struct document_problems {
    const struct document_problem *items;
    size_t count;
};

struct document {
    const struct manifest_object *object;
    struct document_place place;
    struct slice last_applied; /* the annotation that kubectl apply will write; empty: none */
    struct other_manifests others;
    struct document_problems problems;
    bool kustomize_adds_labels; /* before it is applied, in its selector and its pod template */
    bool is_kustomized;         /* it lies below a kustomization, which may give it another name */
    bool may_be_part;           /* of an object: the file seems to be a patch that nothing names */
};

#endif

/*
 * manifest_set.h: the manifests that are applied together: which objects they declare, and which of these an
 * autoscaler scales.
 *
 * Objects are the same if their group, kind, namespace and name are: the version is not part of an object's
 * identity. The set copies identities, but the names of files must outlive it. Its memory is in the arena:
 * near 500 bytes for each object. Once nothing is added any more, several threads may ask.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_MANIFEST_SET_H
#define APPLYGUARD_POLICY_ANALYSIS_MANIFEST_SET_H

#include "base/arena.h"
#include "base/siphash.h"
#include "base/slice.h"
#include "base/text.h"
#include "policy/analysis/crd_topology.h"

#include <stdbool.h>

struct manifest_identity {
    struct slice group_kind; /* Deployment.apps; ConfigMap for the core group */
    struct slice namespace;  /* empty: none, or not known */
    struct slice name;
};

struct document_place {
    struct slice source; /* of several sources, the name of the one that it is from; empty: there is one */
    struct slice root;   /* of several kustomizations, the directory of the one that it is from; a name that
                            outlives the set */
    bool is_kustomized;  /* that is a kustomization, or it lies below one that does not take it */
    bool is_former;      /* of a former CustomResourceDefinition, which is only compared with */
    struct slice file;   /* untrusted */
    unsigned line;       /* 0: it is in no file */
    size_t order;        /* of all documents: the first is 0 */
};

/* An autoscaler, and where it is declared. */
struct manifest_autoscaler {
    struct manifest_identity identity;
    struct document_place place;
};

struct manifest_set;

/* Returns NULL if memory runs out. */
struct manifest_set *manifest_set_create(struct arena *arena, struct siphash_seed seed);

/*
 * Adds an object. Documents may come in any order, but those of a file follow one another. Returns false if
 * memory runs out.
 */
bool manifest_set_add(
    struct manifest_set *set, const struct manifest_identity *object, const struct document_place *place);

/* Adds an autoscaler and what it scales; of two of the same target the first declared stays, of each root. */
bool manifest_set_add_autoscaler(
    struct manifest_set *set, const struct manifest_autoscaler *autoscaler,
    const struct manifest_identity *target);

/* Adds a field of an object, which a document declares. */
bool manifest_set_add_field(
    struct manifest_set *set, const struct manifest_identity *object, struct slice field,
    const struct document_place *place);

/*
 * The first document that declares the object, of the source and the root of the place. NULL: none does.
 * Takes a little memory of `scratch`, as all of these do.
 */
const struct document_place *manifest_set_first(
    const struct manifest_set *set, const struct manifest_identity *object,
    const struct document_place *place, struct arena *scratch);

/*
 * The first document that declares the object in another directory of the same source than the place. NULL:
 * none before the place does, or one of the two belongs to a kustomization, which overlays repeat on purpose.
 */
const struct document_place *manifest_set_alternative(
    const struct manifest_set *set, const struct manifest_identity *object,
    const struct document_place *place, struct arena *scratch);

/*
 * Whether the two places of one directory are in different files, and several files of the directory repeat
 * objects of others: they are alternatives, or steps of one after the other. A kustomization has no such
 * files.
 */
bool manifest_set_are_alternatives(
    const struct manifest_set *set, const struct document_place *place, const struct document_place *other,
    struct arena *scratch);

/* Adds the topology of a CustomResourceDefinition; of several, the first declared stays. */
bool manifest_set_add_topology(
    struct manifest_set *set, const struct manifest_identity *object, const struct crd_topology *topology,
    const struct document_place *place);

/* The first of these, and its place; NULL: none. */
const struct crd_topology *manifest_set_topology(
    const struct manifest_set *set, const struct manifest_identity *object,
    const struct document_place **place, struct arena *scratch);

/* Whether several sources declare the object. */
bool manifest_set_is_shared(
    const struct manifest_set *set, const struct manifest_identity *object, struct arena *scratch);

/* The first document of all sources that declares the field. NULL: none does. */
const struct document_place *manifest_set_first_of_field(
    const struct manifest_set *set, const struct manifest_identity *object, struct slice field,
    struct arena *scratch);

/*
 * The autoscaler of the object that is declared at the place. NULL: nothing, or it is in another root or
 * another alternative, and so is the object, too: it is unknown which of the two it scales.
 */
const struct manifest_autoscaler *manifest_set_autoscaler_of(
    const struct manifest_set *set, const struct manifest_identity *target,
    const struct document_place *place, struct arena *scratch);

/* Parts of text_append_all: what a sentence calls the object: "HorizontalPodAutoscaler web". */
struct text_listed manifest_identity_text(const struct manifest_identity *object);

/* Where a document is: "deploy/web.yaml:12". */
struct text_listed document_place_text(const struct document_place *place);

#endif

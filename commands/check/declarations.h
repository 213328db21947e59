/*
 * declarations.h: what a manifest declares that matters to other manifests: its object, and the target of an
 * autoscaler.
 *
 * The declarations of all manifests form a set; declaration_other_manifests finds the declarations of other
 * manifests that concern one object.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_DECLARATIONS_H
#define APPLYGUARD_COMMANDS_CHECK_DECLARATIONS_H

#include "apply/first_apply.h"
#include "base/arena.h"
#include "commands/check/appliers.h"
#include "commands/check/check_input.h"
#include "manifest/manifest.h"
#include "policy/analysis/document.h"
#include "policy/analysis/manifest_set.h"

struct declaration {
    struct declaration *next;
    struct manifest_identity object;
    struct manifest_identity target;     /* the autoscaler's target; an empty name: none */
    const struct crd_topology *topology; /* of a CustomResourceDefinition; NULL: none */
    struct slice_list fields;            /* the declared fields, if there are several sources */
    bool has_replicas;                   /* it declares replicas */
    bool is_alone;                       /* its file has no other object; the reader knows that */
    enum applies applies;
    unsigned line;
    size_t number; /* the object's index in its file, from 0 */
};

/*
 * The result lives in the arena, and points into the identity (first_apply_identify). Returns NULL if memory
 * runs out.
 */
struct declaration *declaration_of(
    const struct manifest_object *object, const struct first_apply *identity, const struct applier *applier,
    const struct check_input *input, struct arena *arena);

/* Returns false if memory runs out. `place` is the place of the declaration's document. */
bool declaration_add(
    const struct declaration *declaration, const struct document_place *place, struct manifest_set *set);

/* The same for a former CustomResourceDefinition, of which only the topology counts. */
bool declaration_add_former(
    const struct declaration *declaration, const struct document_place *place, struct manifest_set *set);

/*
 * The declarations of other manifests in the set that concern the declaration's object. If memory runs out,
 * returns no declarations; arena_has_failed() reports that.
 */
struct other_manifests declaration_other_manifests(
    const struct declaration *declaration, const struct document_place *place, const struct manifest_set *set,
    struct arena *arena);

/* Whether there are no such declarations, so that the object is judged as if it were alone. */
bool has_no_cross_manifest_findings(const struct other_manifests *others);

#endif

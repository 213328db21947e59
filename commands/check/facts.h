/*
 * facts.h: what a manifest tells about others: that there is its object, and what an autoscaler scales.
 *
 * The facts of all manifests make a set; fact_neighbours asks it what the others say of one object.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_FACTS_H
#define APPLYGUARD_COMMANDS_CHECK_FACTS_H

#include "apply/first_apply.h"
#include "base/arena.h"
#include "commands/check/kustomized.h"
#include "manifest/manifest.h"
#include "policy/analysis/document.h"
#include "policy/analysis/manifest_set.h"

struct fact {
    struct fact *next;
    struct manifest_identity object;
    struct manifest_identity target; /* what it scales; an empty name: nothing */
    struct slice_list fields;        /* that it declares, if there are several sources */
    bool has_replicas;               /* it declares them */
    unsigned line;
    size_t number; /* of the object in its file, from 0 */
};

/* In memory of the arena. NULL if there is none. `has_sources`: fields are asked for. */
struct fact *fact_of(
    const struct manifest_object *object, const struct applier *applier, const struct kustomized *kustomized,
    bool has_sources, struct arena *arena);

/* False if there is no memory. `place` is that of the fact's document. */
bool fact_add(const struct fact *fact, const struct document_place *place, struct manifest_set *set);

/* What the others in the set say of the fact's object. Without memory nothing; the arena tells. */
struct document_neighbours fact_neighbours(
    const struct fact *fact, const struct document_place *place, const struct manifest_set *set,
    struct arena *arena);

/* Whether the others say nothing, so that the object is judged as if it were alone. */
bool neighbours_are_silent(const struct document_neighbours *neighbours);

#endif

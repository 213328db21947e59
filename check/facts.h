/*
 * facts.h: what a manifest tells about others: that there is its object, and what an autoscaler scales.
 */
#ifndef APPLYGUARD_CHECK_FACTS_H
#define APPLYGUARD_CHECK_FACTS_H

#include "base/arena.h"
#include "check/first_apply.h"
#include "manifest/manifest.h"
#include "policy/analysis/manifest_set.h"

struct fact {
    struct fact *next;
    struct manifest_identity object;
    struct manifest_identity target; /* what it scales; an empty name: nothing */
    struct slice_list fields;        /* that it declares, if there are several sources */
    unsigned line;
    size_t number; /* of the object in its file, from 0 */
};

/* In memory of the arena. NULL if there is none. `has_sources`: fields are asked for. */
struct fact *fact_of(
    const struct manifest_object *object, const struct applier *applier, bool has_sources,
    struct arena *arena);

/* False if there is no memory. `place` is where the fact's file is, and its first object. */
bool fact_add(const struct fact *fact, const struct document_place *place, struct manifest_set *set);

#endif

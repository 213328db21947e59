/*
 * adoption.h: tools that take fields from the tool that applied the object before, and are right to.
 *
 * When people move an object from kubectl or Helm to a GitOps tool, that tool takes the former tool's fields
 * once and on purpose, and cleans up. From then on it has an entry of its own. As long as the former tool
 * does not write again, anything else that the new tool takes from it belongs to the same move. If a later
 * kubectl apply changes the object, a tool that reconciles puts its values back: it heals.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H
#define APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H

#include "policy/managers.h"
#include "policy/review/ownership.h"

#include <stdbool.h>

enum adoption {
    ADOPTION_NONE,    /* the writer has no claim to the former tool's fields */
    ADOPTION_BEGINS,  /* the writer's tool has no entry yet */
    ADOPTION_SETTLED, /* the former tool has not written since the writer's tool did */
    ADOPTION_HEALS,   /* the writer's tool reconciles the object, over which kubectl apply was run since */
};

/* The writer's claim to the fields of `former`, an entry of the old object. */
enum adoption adoption_from(const struct ownership *ownership, const struct managed_fields_entry *former);

/* The same for a former tool, whether or not it has an entry. */
enum adoption adoption_from_tool(const struct ownership *ownership, enum tool former);

/*
 * Whether the writer reconciles the object, and `former` is the Apply entry of a name that no tool has, such
 * as that of kubectl apply --server-side --field-manager=NAME. Only a take that is remembered shows that the
 * writer heals what this name took from it: an operator may have applied the field from the beginning.
 */
bool adoption_may_heal(const struct ownership *ownership, const struct managed_fields_entry *former);

/* Whether a tool that adopts objects from kubectl has applied this one, and kubectl apply has not since. */
bool adoption_has_settled(const struct ownership *ownership);

/* The strongest action against a writer with this claim. */
enum action adoption_ceiling(enum adoption adoption);

/* Whether the writer's tool removes the last-applied annotation from objects that it applies. */
bool adoption_removes_last_applied(const struct ownership *ownership);

/* Whether the writer is a tool that people run and that leaves the annotation of a former kubectl apply
 * there.
 */
bool adoption_leaves_last_applied(const struct ownership *ownership);

#endif

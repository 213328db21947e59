/*
 * mutation.h: the mutating webhooks that changed an object, as the API server annotates events.
 */
#ifndef APPLYGUARD_AUDIT_MUTATION_H
#define APPLYGUARD_AUDIT_MUTATION_H

#include "audit/event.h"

#include <stdbool.h>

struct audit_mutation {
    struct slice configuration;
    struct slice webhook;
};

struct audit_mutations {
    yyjson_obj_iter annotations;
    bool is_empty;
};

struct audit_mutations audit_mutations_of(const struct audit_event *event);

/* Whether a webhook changed the object. False also if memory runs out. */
bool audit_is_mutated(const struct audit_event *event, struct arena *arena);

/* The next webhook that changed the object. False: no more. */
bool audit_next_mutation(
    struct audit_mutations *mutations, struct arena *arena, struct audit_mutation *mutation);

#endif

/*
 * mutation.h: the mutating webhooks that changed an object, as the API server annotates events. Private to
 * commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_MUTATION_H
#define APPLYGUARD_COMMANDS_REPLAY_MUTATION_H

#include "audit/event.h"

#include <stdbool.h>

struct replay_mutation {
    struct slice configuration;
    struct slice webhook;
};

struct replay_mutations {
    yyjson_obj_iter annotations;
    bool is_empty;
};

struct replay_mutations replay_mutations_of(const struct audit_event *event);

/* The next webhook that changed the object. False: no more. */
bool replay_next_mutation(
    struct replay_mutations *mutations, struct arena *arena, struct replay_mutation *mutation);

#endif

/* history_version.h: an object as a write left it. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_VERSION_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_VERSION_H

#include "commands/blame/history_write.h"

#include <stdint.h>

struct history_version {
    struct arena *arena;
    yyjson_val *object; /* in the arena; NULL: none */
    size_t bytes;       /* of its JSON */
    uint64_t resource_version;
    uint64_t generation;         /* 0: unknown */
    struct history_write *write; /* with a reference */
};

/* Copies the object into the arena of a version that was forgotten. Returns false if memory runs out. */
bool history_version_set(struct history_version *version, yyjson_val *object, struct history_write *write);

/*
 * The same for the object after a scale: the one before, with the replicas and the version of the Scale.
 * Returns false as well if the object has no spec or metadata.
 */
bool history_version_set_scaled(
    struct history_version *version, const struct history_version *before, yyjson_val *scale,
    struct history_write *write);

/* Keeps the arena. */
void history_version_forget(struct history_version *version);

#endif

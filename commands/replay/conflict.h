/*
 * conflict.h: the causes of a conflict, as the API server answers a server-side apply that takes fields
 * without force. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_CONFLICT_H
#define APPLYGUARD_COMMANDS_REPLAY_CONFLICT_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/managers.h"

#include <yyjson.h>

struct replay_conflict {
    struct slice path;
    struct slice manager; /* who has the field */
    enum manager_operation operation;
};

/* From one of the causes of a Status. */
struct replay_conflict replay_conflict_of(yyjson_val *cause, struct arena *arena);

#endif

/*
 * doubts.h: the writes that are not judged, by object: later verdicts may depend on them. Private to
 * commands/replay/.
 *
 * They may have taken fields from their owners. Whether a field is in a fight, or a tool only puts it back,
 * depends on that.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_DOUBTS_H
#define APPLYGUARD_COMMANDS_REPLAY_DOUBTS_H

#include "commands/replay/write.h"
#include "policy/analysis/takeover_history.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Places for objects, each by the hash of its name. Objects share places, so one may be in doubt for no
 * reason.
 */
#define REPLAY_DOUBTS 65536

struct replay_doubt {
    struct takeover_unseen writes[TAKEOVER_UNSEEN_MAX]; /* the latest ones that were not judged */
    size_t count;                                       /* in `writes` */
    size_t next;                                        /* where the next one goes: over the oldest */
    bool has_possible;         /* there are writes of which only what they may have taken is known */
    enum replay_reason reason; /* of a write whose verdict depends on these */
};

/* The place for the object of a write among the REPLAY_DOUBTS places. */
struct replay_doubt *replay_doubt_of(struct replay_doubt *doubts, const struct replay_write *write);

/* Adds the write, if it had an effect and is not judged in full. */
void replay_doubt_add(struct replay_doubt *doubt, const struct replay_write *write);

#endif

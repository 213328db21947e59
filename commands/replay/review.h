/*
 * review.h: the review of a write, made of the answers that the log has. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_REVIEW_H
#define APPLYGUARD_COMMANDS_REPLAY_REVIEW_H

#include "audit/objects.h"
#include "commands/replay/doubts.h"
#include "commands/replay/write.h"
#include "policy/analysis/takeover_history.h"
#include "policy/config/config.h"

struct replay_judge {
    const struct policy *policy;
    const struct policy *other; /* NULL, or a policy to compare with */
    struct takeover_history *history, *other_history;
    struct slice_list groups; /* globs of groups that one of the policies asks for */
    struct audit_objects *objects;
    struct replay_doubt *doubts; /* REPLAY_DOUBTS places */
    struct arena *arena;
};

/*
 * Judges a write that had an effect, or gives the reason why that is impossible: fills tier, reason and
 * verdicts. Returns false if memory runs out.
 */
bool replay_judge_write(const struct replay_judge *judge, struct replay_write *write);

#endif

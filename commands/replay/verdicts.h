/*
 * verdicts.h: the verdicts on a write, also if the log lacks something on which they depend. Private to
 * commands/replay/.
 *
 * If it lacks the manager or the groups of the request, or does not have each write to the object before, a
 * verdict is given only if it is the same in each possible case.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_VERDICTS_H
#define APPLYGUARD_COMMANDS_REPLAY_VERDICTS_H

#include "audit/objects.h"
#include "commands/replay/doubts.h"
#include "commands/replay/write.h"
#include "policy/analysis/takeover_history.h"
#include "policy/config/config.h"
#include "policy/review/review_from_objects.h"

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
 * Sets the verdicts on the review with this head. They stay NULL, with a reason, if they depend on requests
 * that are not judged. Returns false if memory runs out.
 */
bool replay_judge_head(
    const struct replay_judge *judge, struct replay_write *write, const struct review_head *head);

/* The same if the log lacks the manager and the groups of the request, which the head need not have. */
bool replay_judge_heads(
    const struct replay_judge *judge, struct replay_write *write, const struct review_head *head);

/* Remembers the fields that the request takes by its verdicts: earlier requests do not matter for that. */
void replay_remember_takes(struct replay_write *write);

/* Remembers the fields that the request takes by its verdict, which may be wrong for this reason. */
void replay_remember_possible(
    const struct replay_judge *judge, struct replay_write *write, enum replay_reason reason);

/* Takes the verdicts back. */
void replay_leave_unjudged(struct replay_write *write, enum replay_reason reason);

#endif

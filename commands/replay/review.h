/*
 * review.h: the review of a write, made of the answers that the log has. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_REVIEW_H
#define APPLYGUARD_COMMANDS_REPLAY_REVIEW_H

#include "commands/replay/verdicts.h"

/*
 * Judges a write that had an effect, or gives the reason why that is impossible: fills tier, reason and
 * verdicts. Returns false if memory runs out.
 */
bool replay_judge_write(const struct replay_judge *judge, struct replay_write *write);

#endif

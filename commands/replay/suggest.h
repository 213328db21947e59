/*
 * suggest.h: a policy to start with: a profile, with exceptions for what it would have denied. Private to
 * commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_SUGGEST_H
#define APPLYGUARD_COMMANDS_REPLAY_SUGGEST_H

#include "base/text.h"
#include "commands/replay/counts.h"
#include "commands/replay/summary.h"
#include "commands/replay/write.h"
#include "policy/config/config.h"

#include <stdbool.h>

/* The denials of two profiles. All zero but for the arena of `denied`: none yet. */
struct replay_suggestion {
    struct name_table denied; /* user, namespace, kind and rule; a column a profile */
    bool is_incomplete[2];    /* a profile denied more than could be kept */
};

/* The profiles, the stronger one first, as policies. NULL: out of memory. */
struct policy *replay_suggested_profile(size_t index);

/*
 * Counts each profile's denials of the write: the first verdict is that of the first profile, `other` that of
 * the second. Denials that it may have count, too. Returns false if memory runs out.
 */
bool replay_suggestion_add(struct replay_suggestion *suggestion, const struct replay_write *write);

/* A policy file for the summary and what was denied. */
void replay_append_suggestion(
    struct text *text, const struct replay_summary *summary, const struct replay_suggestion *suggestion);

#endif

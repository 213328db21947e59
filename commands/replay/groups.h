/*
 * groups.h: the groups of users that policies ask for. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_GROUPS_H
#define APPLYGUARD_COMMANDS_REPLAY_GROUPS_H

#include "policy/config/config.h"

/* The globs of both policies; `other` may be NULL. False: out of memory. */
bool replay_groups(
    const struct policy *policy, const struct policy *other, struct arena *arena, struct slice_list *groups);

#endif

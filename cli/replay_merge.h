/* replay_merge.h: `replay --merge`: combines the results of shards into that of one run. */
#ifndef APPLYGUARD_CLI_REPLAY_MERGE_H
#define APPLYGUARD_CLI_REPLAY_MERGE_H

#include "cli/framework/command_line.h"
#include "commands/replay/replay.h"
#include "policy/action.h"

/* Files with the JSON of all shards. Prints them as one run does, and returns the exit status. */
int replay_merge(const struct operands *files, enum replay_format format, enum action fail_on);

#endif

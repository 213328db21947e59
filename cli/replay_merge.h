/* replay_merge.h: `replay --merge`: combines the results of shards into that of one run. */
#ifndef APPLYGUARD_CLI_REPLAY_MERGE_H
#define APPLYGUARD_CLI_REPLAY_MERGE_H

#include "cli/framework/command_line.h"
#include "commands/replay/replay.h"
#include "policy/action.h"
#include "report/output_format.h"

/* Files with the JSON of all shards. Prints them as one run does, and returns the exit status. */
int replay_merge(const struct operands *files, enum output_format format, enum action fail_on);

#endif

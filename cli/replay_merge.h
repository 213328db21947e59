/* replay_merge.h: `replay --merge`: combines the results of shards into that of one run. */
#ifndef APPLYGUARD_CLI_REPLAY_MERGE_H
#define APPLYGUARD_CLI_REPLAY_MERGE_H

#include "cli/framework/command_line.h"
#include "policy/action.h"

#include <stdbool.h>

/* Files with the JSON of all shards. Prints JSON, or the sums for people. Returns the exit status. */
int replay_merge(const struct operands *files, bool is_json, enum action fail_on);

#endif

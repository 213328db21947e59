/*
 * explain_conflict.h: conflicts of a server-side apply, for explain.
 */
#ifndef APPLYGUARD_CLI_EXPLAIN_CONFLICT_H
#define APPLYGUARD_CLI_EXPLAIN_CONFLICT_H

#include "cli/cluster.h"

#include <stdbool.h>

struct explain_conflict {
    const char *path;        /* the file with a tool's output; "-": standard input */
    const char *live;        /* the object: a file, or KIND/NAME in the cluster; NULL: unknown */
    const char *policy_path; /* NULL: the embedded policy */
    bool is_json;
    const struct cluster_options *cluster;
};

/* Prints the conflicts, and errors on stderr. Returns the exit status. */
int explain_conflict(const struct explain_conflict *options);

#endif

/*
 * explain_conflict.h: conflicts of a server-side apply, for explain.
 */
#ifndef APPLYGUARD_CLI_EXPLAIN_CONFLICT_H
#define APPLYGUARD_CLI_EXPLAIN_CONFLICT_H

#include "cli/cluster.h"

#include <stdbool.h>

struct explain_conflict {
    const char *path;        /* of what a tool printed; "-": standard input */
    const char *live;        /* the object: a file, or KIND/NAME in the cluster; NULL: it is not known */
    const char *policy_path; /* NULL: the embedded policy */
    bool is_json;
    const struct cluster_options *cluster;
};

/* Prints them, and on stderr what is wrong. Returns the exit status. */
int explain_conflict(const struct explain_conflict *options);

#endif

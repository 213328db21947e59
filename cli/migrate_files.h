/* migrate_files.h: migrate with manifests: from objects of imperative commands to declarative ones. */
#ifndef APPLYGUARD_CLI_MIGRATE_FILES_H
#define APPLYGUARD_CLI_MIGRATE_FILES_H

#include "cli/cluster.h"
#include "cli/framework/command_line.h"
#include "policy/config/config.h"

struct migrate_files {
    const struct cluster_options *cluster;
    bool is_recursive;
    const char *to; /* the manager that applies the manifests */
    const struct policy *policy;
    const char *under; /* the policy, as migrate_append_answer words it */
};

/* Whether an operand is a file or a directory, and not KIND/NAME. */
bool migrate_is_file(const char *operand);

/*
 * Prints the commands that make the objects of the manifests declarative, and on standard error what the
 * first apply changes. Returns the exit status.
 */
int migrate_files(const struct migrate_files *request, const struct operands *files);

#endif

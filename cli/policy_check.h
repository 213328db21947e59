/*
 * policy_check.h: all that is wrong with a policy file, printed.
 */
#ifndef APPLYGUARD_CLI_POLICY_CHECK_H
#define APPLYGUARD_CLI_POLICY_CHECK_H

#include "policy/config/config.h"

/*
 * Loads the policy file ("-": standard input). Notes go to standard output; with errors, these and the notes
 * go to standard error, all in the file's order, each FILE:LINE:COLUMN: SENTENCE. Returns NULL if there are
 * errors, be it that a server would load the file; else the policy, which the caller frees.
 */
struct policy *policy_check_file(const char *path);

#endif

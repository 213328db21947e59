/*
 * policy_check.h: prints all problems of a policy file.
 */
#ifndef APPLYGUARD_CLI_POLICY_CHECK_H
#define APPLYGUARD_CLI_POLICY_CHECK_H

#include "policy/config/config.h"

/*
 * Loads the policy file ("-": standard input). Prints problems in the file's order as FILE:LINE:COLUMN:
 * SENTENCE: on standard output if all are notes, otherwise on standard error. Returns NULL if there are
 * errors, even if a server would load the file; otherwise the policy, which the caller frees.
 */
struct policy *policy_check_file(const char *path);

#endif

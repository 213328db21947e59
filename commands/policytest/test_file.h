/*
 * test_file.h: reads a test of a policy, a *.test.yaml.
 *
 * Like in the policy file, unknown keys, wrong types and unknown words are errors with a place, and all
 * errors of a file are reported at once.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_TEST_FILE_H
#define APPLYGUARD_COMMANDS_POLICYTEST_TEST_FILE_H

#include "base/arena.h"
#include "commands/policytest/test_case.h"
#include "policy/config/config.h"

/*
 * Reads the text of a test's file. The test lives in the arena, and points into the text's copy there.
 * Returns false if there are problems, which are collected like a policy's (config.h).
 */
bool policy_test_read(
    struct slice text, struct arena *arena, struct policy_problems *problems, struct policy_test *test);

#endif

/*
 * test_file.h: reads a test of a policy, a *.test.yaml.
 *
 * It is read as the policy file is: unknown keys, wrong types and words that do not exist are errors with a
 * place, and all of a file are told at once.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_TEST_FILE_H
#define APPLYGUARD_COMMANDS_POLICYTEST_TEST_FILE_H

#include "base/arena.h"
#include "commands/policytest/test_case.h"
#include "policy/config/config.h"

/*
 * Reads the text of a test's file. The test lives in the arena, and points into the text's copy there. False
 * if there are problems, which are collected as those of a policy are (config.h).
 */
bool policy_test_read(
    struct slice text, struct arena *arena, struct policy_problems *problems, struct policy_test *test);

#endif

/*
 * expected.h: the findings that a case expects, and whether a verdict has them.
 *
 * What an expected finding does not say is not compared. Fields and losers are compared as sets.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_EXPECTED_H
#define APPLYGUARD_COMMANDS_POLICYTEST_EXPECTED_H

#include "commands/policytest/test_case.h"
#include "policy/config/config_reader.h"
#include "policy/verdict/verdict.h"

/* Reads the key `expect` into a struct test_case. */
config_read expected_read;

/* What a verdict and its case do not share. */
struct difference {
    bool is_missing[TEST_EXPECTED_MAX];       /* of the case's: the verdict has none that fits */
    bool is_unexpected[VERDICT_FINDINGS_MAX]; /* of the verdict's: the case has none that fits */
    size_t missing_count, unexpected_count;
    bool allowed_differs;
};

/* Pairs as many findings as can be. True if there is no difference. */
bool expected_compare(
    const struct test_case *each, const struct verdict *verdict, struct difference *difference);

#endif

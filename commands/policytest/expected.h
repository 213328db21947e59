/*
 * expected.h: the findings that a case expects, and the comparison with a verdict.
 *
 * Members that an expected finding omits are not compared. Fields and previous owners are compared as sets.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_EXPECTED_H
#define APPLYGUARD_COMMANDS_POLICYTEST_EXPECTED_H

#include "commands/policytest/test_case.h"
#include "policy/config/config_reader.h"
#include "policy/verdict/verdict.h"

/* Reads the key `expect` into a struct test_case. */
config_read expected_read;

/* The differences between a verdict and its case. */
struct difference {
    bool is_missing[TEST_EXPECTED_MAX];       /* for each expected finding: no finding of the verdict fits */
    bool is_unexpected[VERDICT_FINDINGS_MAX]; /* for each finding of the verdict: no expected finding fits */
    size_t missing_count, unexpected_count;
    bool allowed_differs;
};

/* Makes as many pairs as possible. Returns true if nothing differs. */
bool expected_compare(
    const struct test_case *each, const struct verdict *verdict, struct difference *difference);

#endif

/*
 * expect.h: a file that says which managers should own which fields.
 *
 *     apiVersion: applyguard.io/v1
 *     kind: Ownership
 *     expect:
 *     - {fields: [.spec.replicas], kinds: [Deployment.apps], managers: [kube-controller-manager, "keda*"]}
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_EXPECT_H
#define APPLYGUARD_COMMANDS_SCAN_EXPECT_H

#include "policy/config/config.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>

/* Every list is one of globs, but for the fields; an empty one matches all. */
struct scan_expectation {
    struct slice_list fields; /* path patterns */
    struct slice_list managers;
    struct slice_list kinds, namespaces, names;
};

struct scan_expectations {
    const struct scan_expectation *items;
    size_t count;
};

/*
 * Reads the text of such a file. The expectations live in the arena, and point into the text's copy there.
 * Returns false if there are problems, which are collected like a policy's (config.h).
 */
bool scan_expectations_read(
    struct slice text, struct arena *arena, struct policy_problems *problems,
    struct scan_expectations *expectations);

/* Adds a finding of the rule manager-scope for each manager that owns fields which others should own. */
void scan_expectations_judge(const struct scan_expectations *expectations, struct verdict *verdict);

#endif

/* test_case.h: the parts of a policy's test. docs/policy-test.md describes its file. */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_TEST_CASE_H
#define APPLYGUARD_COMMANDS_POLICYTEST_TEST_CASE_H

#include "base/slice.h"
#include "policy/action.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limit of cases in a file. People write these files by hand. */
#define TEST_CASES_MAX 1000

/* The limit of findings that a case may expect: a review never has more. */
#define TEST_EXPECTED_MAX 64

/*
 * The limit of managers that may own fields of an object. The API server merges all but 10 managers that
 * update.
 */
#define TEST_OWNERS_MAX 64

struct test_place {
    unsigned line, column;
};

/* A file that the test names. */
struct test_input {
    struct slice path; /* as written: relative to the test's file. Empty: none */
    struct test_place place;
};

enum test_operation {
    TEST_APPLY,             /* server-side: it owns declared fields */
    TEST_UPDATE,            /* it owns changed fields */
    TEST_CLIENT_SIDE_APPLY, /* an Update that writes the last-applied annotation, as kubectl does */
};

struct test_manager {
    struct slice name;
    enum test_operation operation;
    struct slice subresource; /* of an owner; empty: the resource itself */
    bool has_fields;
    struct slice_list
        fields; /* the owned fields, as printed paths; otherwise fields that no other owner names */
    struct test_place place;
};

struct test_expected {
    enum rule_id rule;
    bool has_action, has_policy_action, has_fields, has_writer, has_previous_owners;
    enum action action;
    enum action policy_action;
    struct slice_list fields;
    struct slice writer; /* the manager's name */
    struct slice_list previous_owners;
};

struct test_case {
    struct slice name;
    struct test_place place;
    struct test_input review; /* either this, or at least `after` */
    struct test_input before; /* without it the request creates the object */
    struct test_input after;
    const struct test_manager *owners;
    size_t owner_count;
    struct test_manager writer;
    struct slice user;
    struct slice_list groups;
    struct slice namespace;
    enum mode mode; /* of the webhook's path */
    bool has_date;
    int64_t date; /* the time at which the case is judged, in seconds since 1970 UTC */
    bool has_allowed, allowed;
    bool has_expected;
    bool is_at_least; /* there may be more findings than the expected ones */
    const struct test_expected *expected;
    size_t expected_count;
};

struct policy_test {
    struct test_input policy;
    const struct test_case *cases;
    size_t case_count;
};

#endif

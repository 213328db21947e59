/*
 * ownership_rewrites.h: ownership that a request erases or moves although no value changes.
 *
 * The API server gives fields to whoever writes, and takes from others only those whose values that changes.
 * What others lose beyond was written into metadata.managedFields itself: stripped with [{}], renamed, or put
 * back from an old copy of the object.
 *
 * Lost without a word is what the writer took by writing: by a forced apply or an update, after which another
 * webhook put the value back; and what tools are known, or allowed by the policy, to move (moves.h).
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_REWRITES_H
#define APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_REWRITES_H

#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/* The settings of managedfields-rewritten. */
struct ownership_rewrites_settings {
    struct manager_moves moves; /* that the policy allows */
};

struct rewrites {
    const struct slice *fields; /* printable */
    size_t field_count;         /* at most FINDING_FIELDS_MAX */
    size_t field_total;         /* 0: nothing was rewritten */
    bool at_least;              /* there are more fields, which were not counted */
    const struct manager *losers;
    size_t loser_count; /* at most FINDING_LOSERS_MAX */
    size_t loser_total;
    bool wiped; /* nobody but the writer owns anything any more */
    bool out_of_memory;
};

/* Fields that are told apart, each as often as somebody loses it; that there are more is all that is told
 * then.
 */
#define REWRITES_MAX 1024
struct rewrites ownership_rewrites_find(const struct review *review, const struct policy *policy);

/* Why the API server itself may have dropped managedFields, where it may. */
enum ownership_rewrites_cause {
    REWRITES_OF_REQUEST,
    REWRITES_TOO_LARGE, /* the object cannot be stored with them, since etcd takes no more than 1.5 MiB */
    /* Entries of several versions, of a custom resource: one of them cannot be converted, since the
     * conversion webhook is down (kubernetes#136919), or the CRD has the version no more. */
    REWRITES_NOT_CONVERTED,
};
enum ownership_rewrites_cause ownership_rewrites_cause(const struct review *review);

#endif

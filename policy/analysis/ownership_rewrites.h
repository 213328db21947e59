/*
 * ownership_rewrites.h: ownership that a request erases or moves without a change of value.
 *
 * The API server gives fields to the writer, and takes from others only those whose values change. Any other
 * loss was caused by a write of metadata.managedFields itself: stripped with [{}], renamed, or restored from
 * an old copy of the object.
 *
 * Not reported: fields that the writer took with a forced apply or an update after which another webhook
 * restored the value, fields that it left out and the API server put back, and moves of known tools or moves
 * that the policy allows (moves.h).
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_REWRITES_H
#define APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_REWRITES_H

#include "policy/config/config.h"
#include "policy/fieldset/fields_element.h"
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
    bool at_least;              /* there are more fields that were not counted */
    const struct manager *losers;
    size_t loser_count; /* at most FINDING_LOSERS_MAX */
    size_t loser_total;
    bool wiped;                /* only the writer still owns anything */
    bool are_owned;            /* somebody may own one of the fields now */
    enum fields_result unread; /* why an entry's fields could not be walked to the end; FIELDS_OK: all were */
    bool out_of_memory;
};

/* The limit of fields that are compared, each counted for each loser. Beyond it only `at_least` is set. */
#define REWRITES_MAX 1024
struct rewrites ownership_rewrites_find(const struct review *review, const struct policy *policy);

/* Why managedFields are missing: because of the request, or because the API server may have dropped them. */
enum ownership_rewrites_cause {
    REWRITES_OF_REQUEST,
    REWRITES_TOO_LARGE, /* the object with them exceeds etcd's limit of 1.5 MiB */
    /*
     * A custom resource has entries of several versions, and one of them cannot be converted, because the
     * conversion webhook is down (kubernetes#136919) or the CRD no longer has the version.
     */
    REWRITES_NOT_CONVERTED,
};
enum ownership_rewrites_cause ownership_rewrites_cause(const struct review *review);

#endif

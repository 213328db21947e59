/*
 * ownership_rewrites.h: ownership that a request erases, moves or adds without a change of value.
 *
 * The API server gives fields to the writer, and takes from others only those whose values change. Any other
 * loss or gain was caused by a write of metadata.managedFields itself: stripped with [{}], renamed, added, or
 * restored from an old copy of the object.
 *
 * Where the writer owns a field afterwards, another webhook may have put the old value back, which leaves the
 * same trace: that is a doubt, unless the whole entry of an applier moved. So is an atomic value that an
 * apply takes by force, because its manifest leaves out a default.
 *
 * Not reported: fields that an apply declares with the value that they have, fields that the writer left out
 * and the API server put back, fields that another applier still declares, and moves of known tools or moves
 * that the policy allows (moves.h).
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_REWRITES_H
#define APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_REWRITES_H

#include "policy/analysis/rewritten_fields.h"
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

/* From the mildest to the worst: a finding reports the worst alone. */
enum rewrites_kind {
    REWRITES_NOTHING,
    REWRITES_DOUBT,   /* the writer owns fields whose values stay: `managers` lost them, if there are any */
    REWRITES_VERSION, /* the entries of `managers` have another apiVersion, and no fields are listed */
    REWRITES_GAIN,    /* `managers`, who did not write, own more */
    REWRITES_LOSS,    /* `managers` own less */
};

struct rewrites {
    enum rewrites_kind kind;
    const struct slice *fields; /* printable */
    size_t field_count;         /* at most FINDING_FIELDS_MAX */
    size_t field_total;
    bool at_least; /* there are more fields that were not counted */
    const struct manager *managers;
    size_t manager_count; /* at most FINDING_PREVIOUS_OWNERS_MAX */
    size_t manager_total;
    bool applied; /* REWRITES_DOUBT: an apply by force took values that its manifest writes in another form */
    bool wiped;   /* only the writer still owns fields, and none of the lost ones */
    bool are_owned;            /* a manager may own one of the fields now */
    enum fields_result unread; /* why a part of an entry could not be read; FIELDS_OK: all was */
};

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

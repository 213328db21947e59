/*
 * rewrites.h: ownership that a request erases or moves although no value changes.
 *
 * The API server gives fields to whoever writes, and takes from others only those whose values that changes.
 * What others lose beyond was written into metadata.managedFields itself: stripped with [{}], renamed, or put
 * back from an old copy of the object.
 *
 * Lost without a word is what becomes the writer's own, by a forced apply or by a tool's migration of its old
 * names to its Apply entry (client-go, csaupgrade; Flux and Pulumi likewise); what people and client-side
 * appliers owned and an Apply entry owns now; and what the API server itself merges into ancient-changes.
 */
#ifndef APPLYGUARD_POLICY_REWRITES_H
#define APPLYGUARD_POLICY_REWRITES_H

#include "policy/review.h"
#include "policy/verdict.h"

#include <stdbool.h>
#include <stddef.h>

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
struct rewrites rewrites_find(const struct review *review);

/*
 * Whether the API server itself may have dropped managedFields: it does so where an object cannot be stored
 * with them, since etcd takes no more than 1.5 MiB.
 */
bool rewrites_are_the_servers(const struct review *review);

#endif

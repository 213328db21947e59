/*
 * conflicts.h: the fields that a request takes from, or removes of, other managers.
 *
 * Collected entry by entry, then grouped for people: fields that the same managers lose are one group, a
 * removed list item or map stands for what is in it.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_CONFLICTS_H
#define APPLYGUARD_POLICY_ANALYSIS_CONFLICTS_H

#include "policy/action.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"

#include <stdbool.h>
#include <stddef.h>

/* One field that one manager lost. */
struct conflict {
    const struct conflict *previous; /* in the order in which they were found */
    struct slice leaf;               /* printed path of what it owned */
    struct slice
        field;    /* what stands for it: the leaf, or the beginning of it that names what was removed whole */
    bool removed; /* gone, else another value */
    bool item_removed;  /* `field` is a list item */
    bool undeclared;    /* a default that the loser owns, but did not declare, as far as is known */
    enum action action; /* what the policy's table says */
    const struct managed_fields_entry *loser;
};

struct conflicts {
    const struct conflict **items; /* sorted by action (the strongest first), field and loser */
    size_t count;
    /* By action, whether there are more than could be told apart: EFFORT_PATHS. */
    bool overflowed[ACTION_COUNT];
    size_t unresolved;      /* paths that could not be found in both objects */
    bool undecided;         /* of some it is not known whether they were declared */
    const char *unreadable; /* why an entry's fields could not be walked to the end; NULL: all could */
    bool out_of_memory;     /* then there is nothing else in it */
};

struct conflict_settings {
    struct slice_list ignore_fields;
    enum action takeover[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT]; /* [taker][loser] */
};

/*
 * Collects what the review's taker took, sorted. Entries whose cell of the table is off are left out, and so
 * are dropped replicas (replicas.h) where another rule tells of them.
 */
struct conflicts conflicts_collect(
    const struct review *review, const struct conflict_settings *settings, bool dropped_replicas_reported);

/* Whether the object is an aggregated ClusterRole, whose rules are the API server's to fill. */
bool conflicts_are_aggregation(const struct review *review);

/* Fields that the same managers lost at the same action. */
struct conflict_group {
    enum action action;
    const struct slice *fields;
    size_t field_count;
    bool at_least; /* these are not all */
    const struct managed_fields_entry *const *losers;
    size_t loser_count;
    bool taken;      /* at least one has another value */
    bool removed;    /* at least one is gone */
    bool undeclared; /* all of them are defaults that the losers did not declare, as far as is known */
};

/* Groups sorted conflicts, the strongest first. NULL if there is no memory; `*count` may be 0. */
const struct conflict_group *conflicts_group(
    const struct conflicts *conflicts, struct arena *arena, size_t *count);

#endif

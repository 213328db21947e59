/*
 * live.h: the object as it lives in the cluster, and what its managedFields say of the fields in conflict.
 *
 * It comes from wherever the caller has it from, as the JSON that the API server gives. Its managers are
 * classified as the rules do, by the same code: it is decoded as the old object of a review.
 */
#ifndef APPLYGUARD_OWNERS_LIVE_H
#define APPLYGUARD_OWNERS_LIVE_H

#include "base/arena.h"
#include "base/error.h"
#include "owners/conflict.h"
#include "policy/managers.h"
#include "policy/review/review.h"

#include <stdbool.h>
#include <stddef.h>

/* The API server keeps ten Updates and the Applies of as many managers as there are: far fewer. */
#define LIVE_ENTRIES_MAX 1000

/* Others that declare a field too: those that are named. */
#define LIVE_APPLIERS_NAMED 2

struct live_object {
    struct conflict_object identity;
    const struct review *review; /* `old_object` is the object */
};

/*
 * Reads one object, which must outlive what is returned, and may be NULL. `class_rules` are the policy's, or
 * NULL. In memory of the arena. NULL and an error if it has no identity or no managedFields.
 */
const struct live_object *live_read(
    yyjson_val *object, const struct class_rules *class_rules, struct arena *arena, struct error *error);

/* Whether it may be the object of the report: nothing that is known of both differs. */
bool live_may_be(const struct live_object *live, const struct conflict_object *object);

/* What the live object says of one conflict. All zero: there is no live object. */
struct live_field {
    const struct managed_fields_entry *holder; /* the manager's entry; NULL: it has none any more */
    bool is_held;                              /* and the entry owns the field */
    size_t position;                           /* of the entry in managedFields */
    bool is_removable;                         /* `pointer` may be removed */
    struct slice
        pointer; /* JSON pointer from fieldsV1 to what holds the field alone; empty: the whole entry */
    bool is_last_applied;                         /* the last-applied annotation declares it */
    struct manager appliers[LIVE_APPLIERS_NAMED]; /* others that declare it: their Apply entries own it */
    size_t applier_count;                         /* of all */
};

/*
 * Finds the fields of all conflicts of a report: an array of as many. In one walk over managedFields: of many
 * reports it takes the conflicts of all as those of one. NULL if there is no memory.
 */
struct live_field *live_find(
    const struct live_object *live, const struct conflict_report *report, struct arena *arena);

/* A live object, and its fields in the conflicts of a report. */
struct live_fields {
    const struct live_object *object;
    const struct live_field *items; /* one for each conflict */
};

/* The class of the holder of a conflict. `live` and `field` may be NULL. */
enum manager_class live_class(
    const struct live_object *live, const struct live_field *field, const struct conflict *conflict,
    struct slice group, const struct class_rules *class_rules);

#endif

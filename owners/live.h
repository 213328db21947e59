/*
 * live.h: the object in the cluster, and the entries of its managedFields for the fields in conflict.
 *
 * The caller passes the JSON of the API server, from any source. Its managers get the same classes as in the
 * rules, by the same code: it is decoded as the old object of a review.
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

/* The API server keeps ten Update entries and one Apply entry for each manager: far fewer than this. */
#define LIVE_ENTRIES_MAX 1000

/* A message names at most this many other managers that declare a field too. */
#define LIVE_APPLIERS_NAMED 2

struct live_object {
    struct conflict_object identity;
    const struct review *review; /* `old_object` is the object */
};

/*
 * Reads one object, which must outlive the result, and may be NULL. `class_rules` are the policy's, or NULL.
 * The result lives in the arena. Returns NULL and sets the error if the object has no identity or no
 * managedFields.
 */
const struct live_object *live_read(
    yyjson_val *object, const struct class_rules *class_rules, struct arena *arena, struct error *error);

/* Whether it may be the object of the report: no part that is known of both differs. */
bool live_may_be(const struct live_object *live, const struct conflict_object *object);

/* The live state of one field in conflict. All zero without a live object. */
struct live_field {
    const struct managed_fields_entry
        *holder;          /* the manager's entry; NULL if the manager has no entry any more */
    bool is_held;         /* and the entry owns the field */
    size_t position;      /* of the entry in managedFields */
    bool is_removable;    /* `pointer` may be removed */
    struct slice pointer; /* JSON pointer from fieldsV1 to the part that holds only this field; empty: the
                             whole entry */
    bool is_last_applied; /* the last-applied annotation declares it */
    struct manager
        appliers[LIVE_APPLIERS_NAMED]; /* other managers that declare it: their Apply entries own it */
    size_t applier_count;              /* the number of all such managers */
};

/*
 * Finds the fields of all conflicts of a report: returns one item for each. It walks managedFields once,
 * however many conflicts the reports have. Returns NULL if memory runs out.
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

/*
 * conflicts.h: the fields of other managers that a request changes or removes.
 *
 * Conflicts are collected entry by entry and then grouped for people: fields that the same managers lose form
 * one group, and a removed list item or map represents everything in it.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_CONFLICTS_H
#define APPLYGUARD_POLICY_ANALYSIS_CONFLICTS_H

#include "policy/action.h"
#include "policy/fieldset/fields_element.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"

#include <stdbool.h>
#include <stddef.h>

/* The form in which the writer's own configuration declares a field that it takes. */
enum declaration {
    DECLARATION_UNKNOWN, /* the review does not show its configuration */
    DECLARATION_ABSENT,  /* it writes the whole object, and its configuration leaves the field out */
    DECLARATION_EMPTY,   /* a zero value, such as caBundle: "" */
    DECLARATION_PRESENT,
};

/* One field that one manager lost. */
struct conflict {
    const struct conflict *previous; /* in the order in which they were found */
    struct slice leaf;               /* printed path of the owned field */
    struct slice field; /* what is reported: the leaf, or the path above it that was removed whole */
    bool removed;       /* true: the field is gone; false: it has another value */
    bool item_removed;  /* `field` is a list item */
    bool undeclared;    /* probably a default that the previous owner owns but did not declare */
    bool heals;         /* the writer puts back what the previous owner took from it (adoption.h) */
    bool renewed;       /* the writer declares its change in the annotation of the previous owner */
    bool required;      /* the writer's manifest cannot leave the field out (unavoidable.h) */
    enum declaration declaration;  /* if a controller loses it */
    yyjson_val *old_value, *value; /* of the field; NULL: absent */
    enum action action;            /* from the policy's table */
    const struct managed_fields_entry *previous_owner;
    enum manager_class previous_owner_class;
};

struct conflicts {
    const struct conflict **items; /* sorted by action (the strongest first), field and previous owner */
    size_t count;
    /* By action, whether there are more than could be compared: EFFORT_PATHS. */
    bool overflowed[ACTION_COUNT];
    size_t unresolved;                                   /* paths that could not be found in both objects */
    struct slice unresolved_field;                       /* the first of them, printed */
    const struct managed_fields_entry *unresolved_owner; /* and whose it is */
    bool undecided;            /* for some fields it is unknown whether they were declared */
    enum fields_result unread; /* why an entry's fields could not be walked to the end; FIELDS_OK: all were */
};

struct conflict_settings {
    struct slice_list ignore_fields;
    enum action takeover[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT]; /* [writer][previous owner] */
};

/*
 * Collects the conflicts of the review's writer, sorted. Omits entries whose cell of the table is off, and
 * dropped replicas (replicas.h) if another rule reports them.
 */
struct conflicts conflicts_collect(
    const struct review *review, const struct conflict_settings *settings, bool dropped_replicas_reported);

/* The order of collected conflicts, by pointers to them, as for qsort: by action, field and previous owner.
 */
int conflicts_compare(const void *a, const void *b);

/* Whether the object is an aggregated ClusterRole, whose rules the control plane fills in. */
bool conflicts_are_aggregation(const struct review *review);

/* Fields that the same managers lost, with the same action. */
struct conflict_group {
    enum action action;
    const struct slice *fields; /* ascending */
    size_t field_count;
    bool at_least; /* there are more */
    const struct managed_fields_entry *const *previous_owners;
    size_t previous_owner_count;
    bool taken;      /* at least one field has another value */
    bool removed;    /* at least one field is gone */
    bool undeclared; /* all of them are probably defaults that the previous owners did not declare */
    bool heals;      /* the writer puts all of them back */
    bool renewed;    /* the writer declares all of them in the annotation of the previous owners */
    bool required;   /* the writer's manifest cannot leave at least one of them out */
    enum declaration declaration;            /* the least certain of all */
    yyjson_val *old_value, *value;           /* of the first field */
    enum manager_class previous_owner_class; /* of the first previous owner */
    const struct conflict *const *losses;    /* of which the fields are made */
    size_t loss_count;
};

/*
 * Groups sorted conflicts, the strongest first; without defaults that a previous owner lost in the same list
 * item as something that it declared. Returns NULL if memory runs out; `*count` may be 0.
 */
const struct conflict_group *conflicts_group(const struct conflicts *all, struct arena *arena, size_t *count);

#endif

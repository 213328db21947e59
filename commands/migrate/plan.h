/* plan.h: decides which entries of managedFields change, and how. */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_PLAN_H
#define APPLYGUARD_COMMANDS_MIGRATE_PLAN_H

#include "apply/merge/field_set.h"
#include "base/arena.h"
#include "base/slice.h"
#include "policy/review/managed_fields.h"

#include <stdbool.h>

/* The manager of kubectl's client-side applies. */
#define MIGRATE_CLIENT_SIDE "kubectl-client-side-apply"

struct migrate_request {
    struct slice_list from; /* managers; empty: kubectl's */
    struct slice to;
    bool is_back;             /* from Apply to Update */
    struct slice_list fields; /* printed paths: only these move, from any manager if `from` is empty */
};

enum plan_fate {
    PLAN_KEPT,    /* the entry stays, or gains fields */
    PLAN_MOVED,   /* its fields move to the new manager */
    PLAN_DROPPED, /* it is removed, with its fields: it has another apiVersion */
};

struct plan_entry {
    const struct managed_fields_entry *before;
    yyjson_val *json;
    enum plan_fate fate;
    /* The manager after the migration. */
    struct manager manager;
    const struct field_set *fields;
    const struct field_set *lost; /* the fields that move, if only some do; otherwise NULL */
    size_t into;                  /* the entry that gets its fields; otherwise its own index */
    bool is_gone;
    bool is_changed;
};

struct plan {
    const struct migrate_request *request;
    const struct slice *from; /* each manager once, in the order in which they move */
    size_t from_count;
    struct plan_entry *entries; /* in the order of managedFields */
    size_t count;
    bool is_needed;                /* false: nothing changes */
    const struct field_set *moved; /* of a request with fields: these; otherwise NULL */
    bool is_new;                   /* and the new manager had no entry, which is the last one then */
};

/*
 * Decides on all entries of an object with this apiVersion. Their `before`, `json`, `manager`, `fields` and
 * `into` must be set. Returns false if memory runs out.
 */
bool plan_make(struct plan *plan, struct slice api_version, struct arena *arena);

/* Whether this is the manager that gets the fields, by its operation after the migration. */
bool plan_is_target(const struct plan *plan, const struct manager *manager);

/* Whether the request moves this entry. */
bool plan_takes(const struct plan *plan, const struct managed_fields_entry *entry, struct slice name);

#endif

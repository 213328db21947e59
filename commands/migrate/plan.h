/*
 * plan.h: which entries of managedFields become what.
 */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_PLAN_H
#define APPLYGUARD_COMMANDS_MIGRATE_PLAN_H

#include "apply/merge/field_set.h"
#include "base/arena.h"
#include "base/slice.h"
#include "policy/review/managed_fields.h"

#include <stdbool.h>

/* Whose fields those of a client-side apply by kubectl are. */
#define MIGRATE_CLIENT_SIDE "kubectl-client-side-apply"

struct migrate_request {
    const struct slice *from; /* managers */
    size_t from_count;        /* 0: those of kubectl */
    struct slice to;
    bool is_back; /* from Apply to Update */
};

enum plan_fate {
    PLAN_KEPT,    /* the entry stays as it is, or gains fields */
    PLAN_MOVED,   /* its fields go to the manager that gets them */
    PLAN_DROPPED, /* it goes, and its fields with it: its apiVersion is another one */
};

struct plan_entry {
    const struct managed_fields_entry *before;
    yyjson_val *json;
    enum plan_fate fate;
    /* After it. */
    struct manager manager;
    const struct field_set *fields;
    size_t into; /* the entry that gets its fields; of all others its own index */
    bool is_gone;
    bool is_changed;
};

struct plan {
    const struct migrate_request *request;
    const struct slice *from; /* each manager once, in the order in which they are moved */
    size_t from_count;
    struct plan_entry *entries; /* in the order of managedFields */
    size_t count;
    bool is_needed; /* false: nothing changes */
};

/*
 * Decides on all entries, whose `before`, `json` and `fields` are set, of an object of that apiVersion. False
 * if there is no memory.
 */
bool plan_make(struct plan *plan, struct slice api_version, struct arena *arena);

/* Whether the entry is one of those that the request is to move. */
bool plan_takes(const struct plan *plan, const struct managed_fields_entry *entry, struct slice name);

#endif

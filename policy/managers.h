/*
 * managers.h: which kind of writer a field manager is.
 *
 * A manager's name is free text, so its class is decided by name, operation, subresource and evidence; the
 * lines of the policy come first, then the built-in table in managers.c, and the first line that matches
 * wins.
 */
#ifndef APPLYGUARD_POLICY_MANAGERS_H
#define APPLYGUARD_POLICY_MANAGERS_H

#include "policy/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* The operation of a managedFields entry. */
enum manager_operation { MANAGER_APPLY, MANAGER_UPDATE };

enum manager_class {
    CLASS_APPLIER,     /* declares a configuration: kubectl apply, Helm, Argo CD, Flux, ... */
    CLASS_CONTROLLER,  /* keeps objects in order on its own: autoscalers, operators */
    CLASS_AD_HOC,      /* people and scripts: kubectl edit, k9s, curl */
    CLASS_BOOKKEEPING, /* kubectl-last-applied: never taker nor loser */
};

/* The three classes that take and lose fields, for tables of them. */
#define OWNING_CLASS_COUNT 3

#define LAST_APPLIED_ANNOTATION "kubectl.kubernetes.io/last-applied-configuration"

struct manager_line {
    struct slice name; /* a glob */
    bool any_operation;
    enum manager_operation operation; /* where !any_operation */
    bool any_subresource;
    struct slice subresource; /* exact, where !any_subresource */
    bool owns_last_applied;   /* only entries that own the last-applied annotation */
    enum manager_class class;
};

struct manager {
    struct slice name;
    enum manager_operation operation;
    struct slice subresource; /* empty: the resource itself */
};

/* `lines` are the policy's own, tried first. */
enum manager_class manager_classify(
    const struct manager *manager, bool owns_last_applied, const struct manager_line *lines,
    size_t line_count);

/* "Apply", "Update". */
const char *manager_operation_name(enum manager_operation operation);

/* "applier", "controller", "adhoc", "bookkeeping": the names in the policy file. */
const char *manager_class_name(enum manager_class class);

/* Parses the three owning classes and bookkeeping; false leaves the output alone. */
bool manager_class_parse(struct slice text, enum manager_class *class);
bool manager_operation_parse(struct slice text, enum manager_operation *operation);

#endif

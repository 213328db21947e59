/*
 * managers.h: classifies field managers, and recognizes the tools behind them.
 *
 * A manager's name is free text, so its class depends on name, operation, subresource and evidence on the
 * object. The policy's class rules come first, then the built-in table in managers.c; the first match wins.
 */
#ifndef APPLYGUARD_POLICY_MANAGERS_H
#define APPLYGUARD_POLICY_MANAGERS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* The operation of a managedFields entry. */
enum manager_operation { MANAGER_APPLY, MANAGER_UPDATE };

enum manager_class {
    CLASS_APPLIER,     /* applies a configuration: kubectl apply, Helm, Argo CD, Flux, ... */
    CLASS_CONTROLLER,  /* reconciles objects on its own: autoscalers, kube-controller-manager */
    CLASS_AD_HOC,      /* people and scripts: kubectl edit, k9s, curl */
    CLASS_UNKNOWN,     /* an owner that may have been a person, a script or a controller; never a writer */
    CLASS_OPERATOR,    /* a controller that writes by server-side apply; as an owner it is an applier */
    CLASS_BOOKKEEPING, /* kubectl-last-applied: never a writer or a previous owner */
};

/* The number of classes that take and lose fields, for tables. */
#define OWNING_CLASS_COUNT 5

/* Whether a writer of one class can take fields from an owner of the other. */
static inline bool class_takes_from(enum manager_class writer, enum manager_class owner)
{
    return writer != CLASS_UNKNOWN && writer != CLASS_BOOKKEEPING && owner != CLASS_OPERATOR &&
        owner != CLASS_BOOKKEEPING;
}

/* Whether no person waits for the answer: a denied request would only be sent again and again. */
static inline bool class_is_unattended(enum manager_class class)
{
    return class == CLASS_CONTROLLER || class == CLASS_OPERATOR;
}

/* Whether a writer of the class declares a configuration by what it writes. */
static inline bool class_applies(enum manager_class class)
{
    return class == CLASS_APPLIER || class == CLASS_OPERATOR;
}

#define LAST_APPLIED_ANNOTATION "kubectl.kubernetes.io/last-applied-configuration"

struct class_rule {
    struct slice name; /* a glob */
    bool any_operation;
    enum manager_operation operation; /* where !any_operation */
    bool any_subresource;
    struct slice subresource; /* exact, where !any_subresource */
    enum manager_class class;
};

/* A policy's own, which are tried before the built-in table. Functions take NULL for none. */
struct class_rules {
    const struct class_rule *items;
    size_t count;
};

struct manager {
    struct slice name;
    enum manager_operation operation;
    struct slice subresource; /* empty: the resource itself */
};

bool manager_equal(const struct manager *a, const struct manager *b);

/* The role in which a manager is classified: many names do not show who uses them, but a request has a user.
 */
enum manager_role {
    ROLE_OWNER,   /* it owns fields; the user that wrote them is unknown by now */
    ROLE_PERSON,  /* it writes this request, sent by a person or a script */
    ROLE_SERVICE, /* it writes this request, sent by a service account or a part of Kubernetes */
};

/* The facts on which a class depends in addition to the manager itself. */
struct manager_facts {
    enum manager_role role;
    struct slice group; /* of the object's kind: some tools reconcile objects of their own kinds */
    /*
     * Whether the manager keeps its configuration on the object (evidence.h). Called only if the answer
     * matters. NULL: it does not.
     */
    bool (*keeps_configuration)(const void *context);
    /* Whether the manager owns the last-applied annotation and nothing else. NULL: it does. */
    bool (*owns_last_applied_alone)(const void *context);
    /* Whether the manager made its own object the controller of this one (ownerReferences). NULL: no. */
    bool (*made_controlled)(const void *context);
    const void *context;
};

enum manager_class manager_classify(
    const struct manager *manager, const struct manager_facts *facts, const struct class_rules *class_rules);

/* Whether a class rule of the policy matches the manager, so that its class is certain. */
bool manager_has_rule(const struct manager *manager, const struct class_rules *class_rules);

/*
 * Tools that have several manager names, that take over objects from another tool, or that put back what
 * others take from them. A tool with several names never takes fields from itself.
 */
enum tool {
    TOOL_OTHER, /* any other: the manager's name identifies it */
    TOOL_KUBECTL_CLIENT_SIDE,
    TOOL_KUBECTL,
    TOOL_HELM,
    TOOL_HELM_CONTROLLER,
    TOOL_ARGOCD,
    TOOL_FLUX, /* its kustomize-controller */
    TOOL_FLUX_OPERATOR,
    TOOL_TIMONI,
    TOOL_TERRAFORM,
    TOOL_KAPP,
    TOOL_KLUCTL,
    TOOL_CONFIG_SYNC,
    TOOL_PULUMI,
    TOOL_WERF,
    TOOL_K3S, /* its deploy controllers, and those of rke2 */
};

#define TOOL_COUNT (TOOL_K3S + 1)

/* The tool by the name alone; the operation does not count. */
enum tool manager_tool(struct slice name);

/* The name by which people know the tool: "Flux". NULL for kubectl, and if it is another tool. */
const char *tool_name(enum tool tool);

/*
 * The name by which people know the manager: "kubectl edit", "an autoscaler", "Argo CD". NULL: its own name
 * has to do. `has_subresource` is set to whether the words name its subresource.
 */
const char *manager_words(const struct manager *manager, bool *has_subresource);

/* Whether the built-in table has this very name. */
bool manager_is_known(struct slice name);

/*
 * The name of a tool that a text misses by one letter; an empty slice if it does not exist, or if the text
 * names another tool. Only long names are compared: a short one may be a tool of its own.
 */
struct slice manager_nearly(struct slice text);

/* Whether two names belong to one tool: the same name, or two names of one tool in the table. */
bool manager_is_same_tool(struct slice a, struct slice b);

/* "Apply", "Update". */
const char *manager_operation_name(enum manager_operation operation);

/* Whether the API server owns fields by the name because it does not know their writer. */
bool manager_hides_writer(struct slice name);

/* Whether a row of the built-in table has the name, so that its class depends on no other evidence. */
bool manager_is_named(const struct manager *manager);

/*
 * Whether its name is that of an operator or a controller, which applies without a manifest. Its class is
 * that of any other owner who applies: a pipeline may have such a name.
 */
bool manager_is_operator(const struct manager *manager);

/* The same of one of several. */
bool managers_have_operator(const struct manager *managers, size_t count);

/*
 * The word by which objects of the product of this controller are labelled, such as "istio"; empty if the
 * table has none.
 */
struct slice manager_product(const struct manager *manager);

/* Whether the Update manager is a part of Kubernetes' own controller manager, under any of its names. */
bool manager_is_controller_manager(struct slice name);

/* "applier", "controller", "adhoc", "unknown", "operator", "bookkeeping": the names in the policy file. */
const char *manager_class_name(enum manager_class class);

/* Parses the names above. On false the output is unchanged. */
bool manager_class_parse(struct slice text, enum manager_class *class);
bool manager_operation_parse(struct slice text, enum manager_operation *operation);

#endif

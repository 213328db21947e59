#include "commands/preview/prune.h"

#include "apply/first_apply.h"
#include "base/array_size.h"
#include "base/split.h"
#include "policy/analysis/apply_sets.h"

static struct slice label_of(const struct value *object, const char *key)
{
    return value_text(value_member(value_at(object, SLICE(".metadata.labels")), slice_of(key)));
}

static struct slice annotation_of(const struct value *object, const char *key)
{
    return value_text(value_member(value_at(object, SLICE(".metadata.annotations")), slice_of(key)));
}

/*
 * Selectors
 */

/* A part of a selector: key=value, key==value, key!=value, key or !key. */
struct requirement {
    struct slice key;
    struct slice value;
    bool has_value;
    bool is_negated;
};

static struct requirement requirement_of(struct slice text)
{
    struct requirement requirement = {.key = slice_trim(text)};
    size_t equals = slice_find(text, '=');
    if (equals == text.length) {
        requirement.is_negated = text.length && requirement.key.bytes[0] == '!';
        requirement.key = slice_trim(slice_from(requirement.key, requirement.is_negated));
        return requirement;
    }
    bool is_doubled = equals + 1 < text.length && text.bytes[equals + 1] == '=';
    requirement.has_value = true;
    requirement.is_negated = equals > 0 && text.bytes[equals - 1] == '!';
    requirement.key = slice_trim(slice_until(text, equals - requirement.is_negated));
    requirement.value = slice_trim(slice_from(text, equals + 1 + is_doubled));
    return requirement;
}

const char *prune_selector_problem(struct slice selector)
{
    if (slice_contains(selector, '('))
        return "knows =, ==, !=, KEY and !KEY only, not sets of values";
    while (selector.length)
        if (!requirement_of(split_next(&selector, ',')).key.length)
            return "has a part without a key";
    return NULL;
}

bool prune_selects(struct slice selector, const struct value *labels)
{
    while (selector.length) {
        const struct requirement requirement = requirement_of(split_next(&selector, ','));
        const struct value *label = value_member(labels, requirement.key);
        bool is_met = requirement.has_value ? label && slice_equal(value_text(label), requirement.value)
                                            : label != NULL;
        if (is_met == requirement.is_negated)
            return false;
    }
    return true;
}

/*
 * kubectl (pkg/cmd/apply/prune.go, applyset_pruner.go)
 */

/* Without --prune-allowlist (pkg/util/prune/prune.go). */
static const char *const pruned_kinds[] = {
    "ConfigMap",
    "CronJob.batch",
    "DaemonSet.apps",
    "Deployment.apps",
    "Endpoints",
    "Ingress.networking.k8s.io",
    "Job.batch",
    "Namespace",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Pod",
    "ReplicaSet.apps",
    "ReplicationController",
    "Secret",
    "Service",
    "StatefulSet.apps",
};

const char *const *prune_kinds(size_t *count)
{
    *count = ARRAY_SIZE(pruned_kinds);
    return pruned_kinds;
}

struct slice prune_apply_set(struct slice name_or_id, struct slice namespace, struct arena *arena)
{
    const struct apply_set_parent parent = {
        .name = name_or_id, .namespace = namespace, .kind = SLICE("Secret"), .group = SLICE("")};
    if (!name_or_id.length || apply_set_id_valid(name_or_id))
        return name_or_id;
    return apply_set_id(&parent, arena);
}

static struct pruned prune_kubectl(
    const struct prune *prune, const struct value *live, struct slice group_kind)
{
    if (prune->apply_set.length)
        return slice_equal(label_of(live, APPLY_SET_MEMBER_LABEL), prune->apply_set)
            ? (struct
               pruned){DROPPED_DELETED, "kubectl deletes it: it is in the ApplySet, and no manifest has it"}
            : (struct pruned){DROPPED_NOT, NULL};
    if (!prune->selector.length)
        return (struct pruned){
            DROPPED_LEFT, "stays: kubectl deletes only what a selector or an ApplySet names"};
    if (!prune_selects(prune->selector, value_at(live, SLICE(".metadata.labels"))))
        return prune->is_former
            ? (struct pruned){DROPPED_LEFT, "stays: the selector does not match its labels"}
            : (struct pruned){DROPPED_NOT, NULL};
    if (!annotation_of(live, LAST_APPLIED_ANNOTATION).length)
        return (struct pruned){
            DROPPED_LEFT, "stays: kubectl prunes only objects with the last-applied annotation"};
    if (!slice_is_one_of(group_kind, pruned_kinds, ARRAY_SIZE(pruned_kinds)))
        return (struct pruned){DROPPED_LEFT, "stays: kubectl prunes this kind only with --prune-allowlist"};
    return (struct pruned){
        DROPPED_DELETED, "kubectl deletes it: the selector matches it, and no manifest has it"};
}

/*
 * Flux and Argo CD
 */

static bool is_kept_by_flux(const struct value *live)
{
    static const char *const keys[] = {
        "kustomize.toolkit.fluxcd.io/prune", "kustomize.toolkit.fluxcd.io/reconcile"};
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
        if (slice_equal(annotation_of(live, keys[i]), SLICE("disabled")) ||
            slice_equal(label_of(live, keys[i]), SLICE("disabled")))
            return true;
    return false;
}

static struct pruned prune_flux(const struct prune *prune, const struct value *live)
{
    if (prune->is_off)
        return (struct pruned){DROPPED_LEFT, "stays: the Kustomization does not prune (spec.prune)"};
    if (is_kept_by_flux(live))
        return (struct pruned){
            DROPPED_LEFT, "stays: kustomize.toolkit.fluxcd.io/prune or reconcile is disabled"};
    return (struct pruned){DROPPED_DELETED, "Flux deletes it if spec.prune is true: no manifest has it"};
}

static struct pruned prune_argocd(const struct value *live)
{
    struct slice options = annotation_of(live, "argocd.argoproj.io/sync-options");
    if (split_has(options, ',', SLICE("Prune=false")))
        return (struct pruned){DROPPED_LEFT, "stays: its sync option Prune=false forbids to prune it"};
    if (split_has(options, ',', SLICE("Prune=confirm")))
        return (struct pruned){
            DROPPED_LEFT, "stays until the pruning is confirmed: its sync option is Prune=confirm"};
    return (struct pruned){DROPPED_DELETED, "Argo CD deletes it if the sync prunes: no manifest has it"};
}

static struct slice joined(struct slice first, struct slice second, struct arena *arena)
{
    return text_join(arena, first, "/", second);
}

struct slice prune_owner(enum apply_tool applier, const struct value *object, struct arena *arena)
{
    if (applier == APPLY_FLUX) {
        struct slice name = label_of(object, "kustomize.toolkit.fluxcd.io/name");
        return name.length ? joined(label_of(object, "kustomize.toolkit.fluxcd.io/namespace"), name, arena)
                           : name;
    }
    struct slice tracking = annotation_of(object, "argocd.argoproj.io/tracking-id");
    return tracking.length ? slice_until(tracking, slice_find(tracking, ':'))
                           : label_of(object, "app.kubernetes.io/instance");
}

/* An object that a controller creates has an owner reference, and may have copies of the owner's labels. */
static bool has_owner_reference(const struct value *live)
{
    return !value_is_empty(value_at(live, SLICE(".metadata.ownerReferences")));
}

static bool is_of_set(const struct prune *prune, const struct value *live, struct arena *arena)
{
    struct slice owner = prune_owner(prune->applier, live, arena);
    if (has_owner_reference(live) || !owner.length)
        return false;
    for (size_t i = 0; i < prune->owners.count; i++)
        if (slice_equal(prune->owners.items[i], owner))
            return true;
    return false;
}

struct pruned prune_decide(
    const struct prune *prune, const struct value *live, struct slice group_kind, struct arena *arena)
{
    if (prune->applier == APPLY_KUBECTL || prune->applier == APPLY_KUBECTL_SERVER)
        return prune_kubectl(prune, live, group_kind);
    if (!prune->is_former && !is_of_set(prune, live, arena))
        return (struct pruned){DROPPED_NOT, NULL};
    return prune->applier == APPLY_FLUX ? prune_flux(prune, live) : prune_argocd(live);
}

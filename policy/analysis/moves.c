#include "policy/analysis/moves.h"

#include "base/array_size.h"
#include "base/glob.h"
#include "policy/review/ownership.h"
#include "policy/review/user_match.h"

#define FROM_MAX 3

#define NAMED(literal) SLICE_LITERAL(literal)
#define FROM(...)                                                                                            \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

enum operations { APPLY = 1 << MANAGER_APPLY, UPDATE = 1 << MANAGER_UPDATE, ANY = APPLY | UPDATE };

struct row {
    struct slice to; /* a glob, as all names here */
    unsigned to_operations;
    const char *from[FROM_MAX]; /* any of them */
    unsigned from_operations;
    unsigned extent;
    /* Matches only where ... */
    bool from_itself;        /* both are one tool */
    bool from_configuration; /* the previous owner owns the last-applied annotation */
    bool from_many;          /* the old object has as many Update entries as there may be */
    bool by_itself;          /* the request names the gainer */
    bool by_flux_operator;   /* the request is one of its command line */
    bool to_settled;         /* the gainer has applied before, if a person sends the request */
};

/* Every row that matches counts. A comment above each row names its source. */
static const struct row rows[] = {
    /* A tool's own way from Update to Apply: helm, pkg/kube/client.go; fluxcd/pkg, ssa/patch.go;
     * gitops-engine, pkg/sync/sync_context.go */
    {NAMED("*"), APPLY, FROM("*"), UPDATE, .extent = MOVE_OWNED, .from_itself = true},
    /* kubectl, pkg/cmd/apply/apply.go, under the name that --field-manager gives it */
    {NAMED("*"), APPLY, FROM("*"), UPDATE, .extent = MOVE_OWNED, .from_configuration = true,
     .to_settled = true},
    {NAMED("kubectl"), APPLY, FROM("kubectl-client-side-apply"), UPDATE, .extent = MOVE_OWNED},
    /* the same with applyguard migrate, once the annotation is gone */
    {NAMED("*"), APPLY, FROM("kubectl-client-side-apply"), UPDATE, .extent = MOVE_OWNED, .to_settled = true},
    /* kustomize-controller, internal/controller/kustomization_controller.go */
    {NAMED("kustomize-controller"), APPLY, FROM("kubectl*", "before-first-apply"), ANY, .extent = MOVE_OWNED},
    /* the same: whom --override-manager names; fluxcd/pkg, ssa/manager_apply.go */
    {NAMED("kustomize-controller"), APPLY, FROM("*"), ANY, .extent = MOVE_OWNED, .by_itself = true},
    /* flux-operator, internal/controller/common.go */
    {NAMED("flux-operator"), APPLY, FROM("kubectl*", "before-first-apply", "flux"), ANY,
     .extent = MOVE_OWNED},
    {NAMED("flux-operator"), APPLY, FROM("kustomize-controller"), APPLY, .extent = MOVE_OWNED},
    {NAMED("flux-operator"), APPLY, FROM("helm"), UPDATE, .extent = MOVE_OWNED},
    /* flux-operator, cmd/cli/migrate_owner.go: fields that only the former owner declared go, too */
    {NAMED("flux-operator"), APPLY, FROM("kustomize-controller", "helm-controller"), ANY, .extent = MOVE_ALL,
     .by_flux_operator = true},
    {NAMED("kustomize-controller"), APPLY, FROM("flux-operator", "helm-controller"), ANY, .extent = MOVE_ALL,
     .by_flux_operator = true},
    {NAMED("helm-controller"), APPLY, FROM("flux-operator", "kustomize-controller"), ANY, .extent = MOVE_ALL,
     .by_flux_operator = true},
    /* timoni, internal/runtime/resources.go */
    {NAMED("timoni"), APPLY, FROM("kubectl*", "before-first-apply", "helm"), ANY, .extent = MOVE_OWNED},
    /* gitops-engine, pkg/sync/sync_context.go */
    {NAMED("argocd-controller"), APPLY, FROM("kubectl-client-side-apply", "helm"), UPDATE,
     .extent = MOVE_OWNED},
    /* pulumi-kubernetes, provider/pkg/await/await.go */
    {NAMED("pulumi-kubernetes*"), APPLY, FROM("kubectl*", "before-first-apply"), ANY, .extent = MOVE_OWNED},
    {NAMED("pulumi-kubernetes*"), APPLY, FROM("pulumi-kubernetes*", "pulumi-resource-kubernetes"), UPDATE,
     .extent = MOVE_OWNED},
    /* nelm, pkg/plan/resource_info.go: werf and Nelm go by Helm's name */
    {NAMED("helm"), APPLY, FROM("kubectl-edit", "werf*"), ANY, .extent = MOVE_OWNED},
    {NAMED("helm"), APPLY, FROM("*"), ANY, .extent = MOVE_SHARED},
    /* crossplane, internal/ssa/managed_fields.go; before that it clears all (moves_clear_all) */
    {NAMED("apiextensions.crossplane.io/*"), APPLY, FROM("before-first-apply"), UPDATE, .extent = MOVE_ALL},
    /* cluster-api, internal/util/ssa/managedfields.go */
    {NAMED("capi-*"), APPLY, FROM("capi-*"), APPLY, .extent = MOVE_LABELS},
    {NAMED("capi-*"), APPLY, FROM("before-first-apply"), UPDATE, .extent = MOVE_ALL | MOVE_RESTORED},
    {NAMED("capi-*-metadata"), APPLY, FROM("capi-*"), APPLY, .extent = MOVE_ALL | MOVE_RESTORED},
    {NAMED("capi-*-metadata"), APPLY, FROM("manager"), UPDATE, .extent = MOVE_ALL | MOVE_RESTORED},
    /*
     * velero, pkg/restore/restore.go; cluster-api, cmd/clusterctl/client/cluster/mover.go: restored fields go
     * back to the managers that owned them in the backup or in the other cluster
     */
    {NAMED("*"), ANY, FROM("velero*", "clusterctl"), UPDATE, .extent = MOVE_ALL | MOVE_RESTORED},
    /* apimachinery, util/managedfields/internal/capmanagers.go: the API server's cap on entries */
    {NAMED("ancient-changes"), UPDATE, FROM("*"), UPDATE, .extent = MOVE_OWNED, .from_many = true},
};

static bool row_is_from(const struct row *row, struct slice name)
{
    for (size_t i = 0; i < FROM_MAX && row->from[i]; i++) {
        if (glob_match(slice_of(row->from[i]), name))
            return true;
    }
    return false;
}

/* flux-operator migrate owner sends a JSON patch, in some releases without a name. */
static bool is_by_flux_operator(const struct review *review, const struct managed_fields_entry *gainer)
{
    return gainer->counterpart &&
        (!review->field_manager.length || slice_equal(review->field_manager, SLICE("flux-operator-ctl")));
}

/* Only tools that restore objects, and the API server's cap, move entries of a subresource. */
static bool may_be_of_subresource(const struct row *row)
{
    return row->extent & MOVE_RESTORED || row->from_many;
}

static bool row_matches(
    const struct row *row, const struct review *review, const struct managed_fields_entry *previous_owner,
    const struct managed_fields_entry *gainer)
{
    const struct manager *from = &previous_owner->manager, *to = &gainer->manager;
    return row->from_operations & 1u << from->operation && row->to_operations & 1u << to->operation &&
        glob_match(row->to, to->name) && row_is_from(row, from->name) &&
        (may_be_of_subresource(row) || (!from->subresource.length && !to->subresource.length)) &&
        (!row->from_itself || manager_is_same_tool(from->name, to->name)) &&
        (!row->from_configuration || entry_owns_last_applied(previous_owner)) &&
        (!row->from_many || review->ownership.before.updates >= UPDATE_ENTRIES_MAX) &&
        (!row->by_itself || slice_equal(review->field_manager, to->name)) &&
        (!row->by_flux_operator || is_by_flux_operator(review, gainer)) &&
        (!row->to_settled || gainer->counterpart || review_is_of_service(review));
}

static bool move_matches(
    const struct manager_move *move, const struct review *review,
    const struct managed_fields_entry *previous_owner, const struct managed_fields_entry *gainer)
{
    return glob_match(move->from, previous_owner->manager.name) &&
        glob_match(move->to, gainer->manager.name) &&
        (!move->users.count || user_matches(&move->users, review));
}

unsigned moves_extent(
    const struct review *review, const struct manager_moves *moves,
    const struct managed_fields_entry *previous_owner, const struct managed_fields_entry *gainer)
{
    unsigned extent = 0;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (row_matches(&rows[i], review, previous_owner, gainer))
            extent |= rows[i].extent;
    }
    for (size_t i = 0; i < moves->count && !(extent & MOVE_OWNED); i++) {
        if (move_matches(&moves->items[i], review, previous_owner, gainer))
            extent |= MOVE_OWNED;
    }
    return extent;
}

/* The API server takes names of up to 128 bytes (apimachinery, ValidateFieldManager): matching one costs a
 * step for each as many. */
#define NAME_BYTES_A_STEP 128

size_t moves_steps(const struct managed_fields *side)
{
    size_t steps = 0;
    for (size_t i = 0; i < side->count; i++)
        steps += 1 + side->entries[i].manager.name.length / NAME_BYTES_A_STEP;
    return steps;
}

bool moves_are_labels(const struct path *path)
{
    while (path->depth > 2)
        path = path->parent;
    return path_is_metadata(path, SLICE("labels")) || path_is_metadata(path, SLICE("annotations"));
}

/* fluxcd/pkg, ssa/patch.go, PatchMigrateToVersion, before an apply in a newer version of a CRD. */
bool moves_rewrite_versions(const struct review *review)
{
    static const char *const tools[] = {"kustomize-controller", "helm-controller", "flux-operator", "timoni"};
    return slice_is_one_of(review->field_manager, tools, ARRAY_SIZE(tools));
}

/*
 * Crossplane, internal/ssa/managed_fields.go: it clears objects that it composed client-side and has not
 * applied yet. It names no field manager then, as people do who clear them with kubectl.
 */
bool moves_clear_all(const struct review *review)
{
    const struct ownership *ownership = &review->ownership;
    bool composed = false;
    if (ownership->after.count || review->field_manager.length)
        return false;
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct manager *manager = &ownership->before.entries[i].manager;
        composed |= manager->operation == MANAGER_UPDATE && !manager->subresource.length &&
            slice_equal(manager->name, SLICE("crossplane"));
        if (manager->operation == MANAGER_APPLY &&
            glob_match(SLICE("apiextensions.crossplane.io/*"), manager->name))
            return false;
    }
    return composed;
}

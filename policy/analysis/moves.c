#include "policy/analysis/moves.h"

#include "base/count.h"
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
    enum move_extent extent;
    bool from_itself;        /* matches only where both are one tool */
    bool from_configuration; /* matches only what owns the last-applied annotation */
    bool from_many; /* matches only where the old object has as many Update entries as there may be */
};

/* Every row that matches counts. The source of each stands above it. */
static const struct row rows[] = {
    /* A tool's own way from Update to Apply: helm, pkg/kube/client.go; fluxcd/pkg, ssa/patch.go;
     * gitops-engine, pkg/sync/sync_context.go */
    {NAMED("*"), APPLY, FROM("*"), UPDATE, .extent = MOVE_OWNED, .from_itself = true},
    /* kubectl, pkg/cmd/apply/apply.go, under the name that --field-manager gives it */
    {NAMED("*"), APPLY, FROM("*"), UPDATE, .extent = MOVE_OWNED, .from_configuration = true},
    {NAMED("kubectl"), APPLY, FROM("kubectl-client-side-apply"), UPDATE, .extent = MOVE_OWNED},
    /* kustomize-controller, internal/controller/kustomization_controller.go */
    {NAMED("kustomize-controller"), APPLY, FROM("kubectl*", "before-first-apply"), ANY, .extent = MOVE_OWNED},
    /* timoni, internal/runtime/resources.go */
    {NAMED("timoni"), APPLY, FROM("kubectl*", "before-first-apply", "helm"), ANY, .extent = MOVE_OWNED},
    /* gitops-engine, pkg/sync/sync_context.go */
    {NAMED("argocd-controller"), APPLY, FROM("kubectl-client-side-apply"), UPDATE, .extent = MOVE_OWNED},
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
    {NAMED("capi-*"), APPLY, FROM("before-first-apply"), UPDATE, .extent = MOVE_ALL},
    {NAMED("capi-*-metadata"), APPLY, FROM("capi-*"), APPLY, .extent = MOVE_ALL},
    {NAMED("capi-*-metadata"), APPLY, FROM("manager"), UPDATE, .extent = MOVE_ALL},
    /* velero, pkg/restore/restore.go; cluster-api, cmd/clusterctl/client/cluster/mover.go: what they made
     * anew goes back to those who owned it before, in the backup or in the other cluster */
    {NAMED("*"), ANY, FROM("velero*", "clusterctl"), UPDATE, .extent = MOVE_ALL},
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

static bool row_matches(
    const struct row *row, const struct review *review, const struct managed_fields_entry *loser,
    const struct managed_fields_entry *gainer)
{
    const struct manager *from = &loser->manager, *to = &gainer->manager;
    return row->from_operations & 1u << from->operation && row->to_operations & 1u << to->operation &&
        glob_match(row->to, to->name) && row_is_from(row, from->name) &&
        (!row->from_itself || manager_is_same_tool(from->name, to->name)) &&
        (!row->from_configuration || entry_owns_last_applied(loser)) &&
        (!row->from_many || review->ownership.before.updates >= UPDATE_ENTRIES_MAX);
}

static bool move_matches(
    const struct manager_move *move, const struct review *review, const struct managed_fields_entry *loser,
    const struct managed_fields_entry *gainer)
{
    return glob_match(move->from, loser->manager.name) && glob_match(move->to, gainer->manager.name) &&
        (!move->users.count || user_matches(&move->users, review));
}

unsigned moves_extent(
    const struct review *review, const struct manager_moves *moves, const struct managed_fields_entry *loser,
    const struct managed_fields_entry *gainer)
{
    unsigned extent = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (row_matches(&rows[i], review, loser, gainer))
            extent |= rows[i].extent;
    }
    for (size_t i = 0; i < moves->count && !(extent & MOVE_OWNED); i++) {
        if (move_matches(&moves->items[i], review, loser, gainer))
            extent |= MOVE_OWNED;
    }
    return extent;
}

/*
 * Crossplane, internal/ssa/managed_fields.go: of what it composed client-side, and has not applied yet. It
 * names no field manager then, as people do who clear them with kubectl.
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

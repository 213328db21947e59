#include "policy/analysis/adoption.h"

#include "base/array_size.h"
#include "base/glob.h"
#include "policy/review/review.h"

#define BIT(tool) (1u << (tool))
#define KUBECTL_APPLY (BIT(TOOL_KUBECTL) | BIT(TOOL_KUBECTL_CLIENT_SIDE))

/* The tools from which each tool adopts objects. */
static unsigned former_tools(enum tool tool, struct slice name)
{
    switch (tool) {
    case TOOL_TERRAFORM: /* terraform import, also of a release */
        return KUBECTL_APPLY | (glob_match(SLICE("terraform-provider-helm*"), name) ? BIT(TOOL_HELM) : 0);
    case TOOL_PULUMI: /* pulumi-kubernetes, provider/pkg/await: takes over the entries of kubectl */
        return KUBECTL_APPLY;
    case TOOL_FLUX:   /* fluxcd/pkg, ssa/patch.go: all that begins with kubectl */
    case TOOL_TIMONI: /* timoni, internal/runtime/resources.go: the same */
        return KUBECTL_APPLY | BIT(TOOL_HELM) | BIT(TOOL_TERRAFORM);
    case TOOL_FLUX_OPERATOR: /* flux-operator, internal/controller/common.go, takeOwnershipFrom */
        return KUBECTL_APPLY | BIT(TOOL_HELM) | BIT(TOOL_FLUX) | BIT(TOOL_TERRAFORM);
    case TOOL_ARGOCD: /* gitops-engine, sync_context.go */
        return BIT(TOOL_KUBECTL_CLIENT_SIDE) | BIT(TOOL_HELM) | BIT(TOOL_TERRAFORM);
    case TOOL_HELM:   /* helm upgrade --take-ownership */
    case TOOL_KLUCTL: /* it leaves kubectl's entries where they are */
        return KUBECTL_APPLY | BIT(TOOL_TERRAFORM);
    case TOOL_HELM_CONTROLLER: /* helm-controller, api: disableTakeOwnership is false by default */
    case TOOL_KAPP:            /* carvel-kapp: what no other app of kapp owns */
    case TOOL_CONFIG_SYNC:     /* kpt-config-sync, pkg/applier: AdoptIfNoInventory, by force */
        return KUBECTL_APPLY | BIT(TOOL_HELM) | BIT(TOOL_TERRAFORM);
    default:
        return 0;
    }
}

/* Tools that put their values back, at an interval or at their next run. */
static bool reconciles(enum tool tool)
{
    const unsigned reconcilers = BIT(TOOL_FLUX) | BIT(TOOL_FLUX_OPERATOR) | BIT(TOOL_ARGOCD) |
        BIT(TOOL_HELM) | BIT(TOOL_HELM_CONTROLLER) | BIT(TOOL_KAPP) | BIT(TOOL_KLUCTL) | BIT(TOOL_TIMONI) |
        BIT(TOOL_CONFIG_SYNC);
    return reconcilers & BIT(tool);
}

/* The same of controllers that deploy to clusters: Fleet, KubeVela, Open Cluster Management, Karmada. */
static bool is_deploying_controller(struct slice manager)
{
    static const char *const names[] = {
        "fleetagent", "kubevela", "work-agent", "karmada-agent", "karmada-controller-manager"};
    return slice_is_one_of(manager, names, ARRAY_SIZE(names));
}

static void find_last_writes(const struct managed_fields *side, struct tool_writes *writes)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (entry->manager.subresource.length)
            continue;
        enum tool tool = entry_tool(entry);
        if (!writes->found[tool] || slice_compare(writes->times[tool], entry->time) < 0)
            writes->times[tool] = entry->time;
        writes->found[tool] = true;
    }
}

/* When each tool last wrote before the request, in RFC 3339 and UTC, which orders as text. */
static const struct tool_writes *last_writes(const struct ownership *ownership)
{
    struct tool_writes *writes = &ownership->review->cache->tool_writes;
    if (!writes->is_read)
        find_last_writes(&ownership->before, writes);
    writes->is_read = true;
    return writes;
}

enum adoption adoption_from_tool(const struct ownership *ownership, enum tool former)
{
    const struct writer *writer = &ownership->writer;
    if (!writer->known || writer->class != CLASS_APPLIER)
        return ADOPTION_NONE;
    enum tool tool = manager_tool(writer->manager.name);
    bool is_kubectl = BIT(former) & KUBECTL_APPLY;
    if (tool == TOOL_OTHER)
        return is_kubectl && writer->before && is_deploying_controller(writer->manager.name) ? ADOPTION_HEALS
                                                                                             : ADOPTION_NONE;
    bool adopts = former_tools(tool, writer->manager.name) & BIT(former);
    const struct tool_writes *writes = last_writes(ownership);
    if (!writes->found[tool])
        return adopts ? ADOPTION_BEGINS : ADOPTION_NONE;
    bool rests = writes->found[former] && writes->times[former].length &&
        slice_compare(writes->times[former], writes->times[tool]) < 0;
    if (adopts && rests)
        return ADOPTION_SETTLED;
    return reconciles(tool) && is_kubectl ? ADOPTION_HEALS : ADOPTION_NONE;
}

enum adoption adoption_from(const struct ownership *ownership, const struct managed_fields_entry *former)
{
    return adoption_from_tool(ownership, entry_tool(former));
}

bool adoption_may_heal(const struct ownership *ownership, const struct managed_fields_entry *former)
{
    const struct writer *writer = &ownership->writer;
    enum tool tool = manager_tool(writer->manager.name);
    bool is_reconciler =
        tool == TOOL_OTHER ? is_deploying_controller(writer->manager.name) : reconciles(tool);
    return writer->known && writer->class == CLASS_APPLIER && writer->before && is_reconciler &&
        former->manager.operation == MANAGER_APPLY && !manager_is_known(former->manager.name);
}

bool adoption_has_settled(const struct ownership *ownership)
{
    const struct tool_writes *writes = last_writes(ownership);
    const enum tool former = TOOL_KUBECTL_CLIENT_SIDE;
    for (int tool = 0; tool < TOOL_COUNT; tool++) {
        bool adopts = writes->found[tool] && former_tools((enum tool)tool, SLICE("")) & BIT(former);
        if (adopts &&
            (!writes->found[former] || slice_compare(writes->times[former], writes->times[tool]) < 0))
            return true;
    }
    return false;
}

enum action adoption_ceiling(enum adoption adoption)
{
    switch (adoption) {
    case ADOPTION_SETTLED:
        return ACTION_AUDIT;
    case ADOPTION_BEGINS:
    case ADOPTION_HEALS:
        return ACTION_WARN;
    case ADOPTION_NONE:
        break;
    }
    return ACTION_DENY;
}

bool adoption_removes_last_applied(const struct ownership *ownership)
{
    enum tool tool = manager_tool(ownership->writer.manager.name);
    return tool == TOOL_FLUX || tool == TOOL_TIMONI;
}

bool adoption_leaves_last_applied(const struct ownership *ownership)
{
    enum tool tool = manager_tool(ownership->writer.manager.name);
    return tool == TOOL_HELM || tool == TOOL_KLUCTL || tool == TOOL_TERRAFORM || tool == TOOL_PULUMI;
}

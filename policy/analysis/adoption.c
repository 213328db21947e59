#include "policy/analysis/adoption.h"

#define KUBECTL (1u << TOOL_KUBECTL)
#define KUBECTL_CLIENT_SIDE (1u << TOOL_KUBECTL_CLIENT_SIDE)
#define HELM (1u << TOOL_HELM)
#define TERRAFORM (1u << TOOL_TERRAFORM)

/* From which tools each adopts what they applied. */
static unsigned former_tools(enum tool tool)
{
    switch (tool) {
    case TOOL_FLUX:   /* fluxcd/pkg, ssa/patch.go: all that begins with kubectl */
    case TOOL_TIMONI: /* timoni, internal/runtime/resources.go: the same */
        return KUBECTL | KUBECTL_CLIENT_SIDE | HELM | TERRAFORM;
    case TOOL_ARGOCD: /* gitops-engine, sync_context.go */
        return KUBECTL_CLIENT_SIDE | HELM | TERRAFORM;
    case TOOL_HELM_CONTROLLER:
        return HELM | TERRAFORM;
    default:
        return 0;
    }
}

static bool has_entry(const struct managed_fields *side, enum tool tool)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct manager *manager = &side->entries[i].manager;
        if (!manager->subresource.length && manager_tool(manager->name) == tool)
            return true;
    }
    return false;
}

bool adoption_is_from(const struct ownership *ownership, enum tool former)
{
    const struct taker *taker = &ownership->taker;
    if (!taker->known || taker->class != CLASS_APPLIER)
        return false;
    enum tool tool = manager_tool(taker->manager.name);
    return former_tools(tool) & 1u << former && !has_entry(&ownership->before, tool);
}

bool adoption_removes_last_applied(const struct ownership *ownership)
{
    enum tool tool = manager_tool(ownership->taker.manager.name);
    return tool == TOOL_FLUX || tool == TOOL_TIMONI;
}

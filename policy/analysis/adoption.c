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

/* When the tool last wrote, in RFC 3339 and UTC, which orders as text. False: it has no entry. */
static bool last_write(const struct managed_fields *side, enum tool tool, struct slice *time)
{
    bool found = false;
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (entry->manager.subresource.length || manager_tool(entry->manager.name) != tool)
            continue;
        if (!found || slice_compare(*time, entry->time) < 0)
            *time = entry->time;
        found = true;
    }
    return found;
}

enum adoption adoption_from(const struct ownership *ownership, enum tool former)
{
    const struct taker *taker = &ownership->taker;
    if (!taker->known || taker->class != CLASS_APPLIER)
        return ADOPTION_NONE;
    enum tool tool = manager_tool(taker->manager.name);
    if (!(former_tools(tool) & 1u << former))
        return ADOPTION_NONE;
    struct slice wrote = {0}, former_wrote = {0};
    if (!last_write(&ownership->before, tool, &wrote))
        return ADOPTION_BEGINS;
    bool rests = last_write(&ownership->before, former, &former_wrote) && former_wrote.length &&
        slice_compare(former_wrote, wrote) < 0;
    return rests ? ADOPTION_SETTLED : ADOPTION_NONE;
}

bool adoption_removes_last_applied(const struct ownership *ownership)
{
    enum tool tool = manager_tool(ownership->taker.manager.name);
    return tool == TOOL_FLUX || tool == TOOL_TIMONI;
}

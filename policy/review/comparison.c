#include "policy/review/comparison.h"

#include "policy/managers.h"

static bool compares_by_applying(enum tool tool)
{
    /* helm-controller, internal/action/diff.go; gitops-engine, pkg/diff/diff.go; fluxcd/pkg,
     * ssa/manager_diff.go */
    return tool == TOOL_HELM_CONTROLLER || tool == TOOL_ARGOCD || tool == TOOL_FLUX ||
        tool == TOOL_FLUX_OPERATOR;
}

/* An apply that changes nothing leaves no entry that shows it; these tools send no other dry runs. */
bool is_comparison(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    return review->dry_run && writer->known && compares_by_applying(manager_tool(writer->manager.name));
}

#include "policy/verdict/tool_habits.h"

#include <string.h>

/* Where the next run of a tool is an event that people know by its command. */
#define NEXT(command) "the next " command " undoes this"
#define CONFLICT(command) "the next " command " fails with a conflict"

static const struct tool_habits habits[TOOL_COUNT] = {
    [TOOL_OTHER] =
        {
            .undoes = NEXT("apply"),
            .refuses = "the next apply fails or undoes this",
            .change = "change the manifest",
            .source = "the manifest",
        },
    [TOOL_KUBECTL_CLIENT_SIDE] =
        {
            .is_named = true,
            .undoes = NEXT("kubectl apply"),
            .change = "change the manifest",
            .source = "the manifest",
            .merges = "use kubectl apply --server-side, which keeps",
        },
    [TOOL_KUBECTL] =
        {
            .undoes = NEXT("apply"),
            .refuses = "the next apply fails or undoes this",
            .change = "change the manifest",
            .source = "the manifest",
        },
    [TOOL_HELM] =
        {
            .is_named = true,
            .undoes = NEXT("helm upgrade"),
            .refuses = CONFLICT("helm upgrade"),
            .change = "change the chart or its values",
            .source = "the chart or its values",
            .leaves_scale = "take replicas out of the chart (many charts: autoscaling.enabled=true)",
            .merges = "Helm 4 applies server-side and keeps",
        },
    [TOOL_HELM_CONTROLLER] =
        {
            .is_named = true,
            .undoes = "Flux undoes this at the next Helm upgrade",
            .change = "change the values of the HelmRelease",
            .source = "the values of the HelmRelease",
            .shares = "ignore it in the HelmRelease (driftDetection.ignore)",
            .leaves_scale = "take replicas out of the HelmRelease's values (many charts: "
                            "autoscaling.enabled=true)",
        },
    [TOOL_ARGOCD] =
        {
            .is_named = true,
            .undoes = "Argo CD undoes this at its next sync",
            .change = "change it in Git",
            .source = "Git",
            .shares = "ignore it (ignoreDifferences, and the sync option RespectIgnoreDifferences=true)",
            .leaves_scale = "ignore replicas in the Application (ignoreDifferences, and the sync option "
                            "RespectIgnoreDifferences=true)",
            .merges = "set the sync option ServerSideApply=true, which keeps",
        },
    [TOOL_FLUX] =
        {
            .is_named = true,
            .undoes = "Flux undoes this at its next reconcile",
            .change = "change it in Git",
            .or_else = "suspend the Kustomization",
            .source = "Git",
            .shares = "remove it from Git, or ignore it in the Kustomization (spec.ignore)",
        },
    [TOOL_FLUX_OPERATOR] =
        {
            .is_named = true,
            .undoes = "Flux Operator undoes this at its next reconcile",
            .change = "change its ResourceSet or FluxInstance",
            .source = "its ResourceSet or FluxInstance",
        },
    [TOOL_TIMONI] =
        {
            .is_named = true,
            .undoes = "Timoni undoes this at its next apply",
            .change = "change the module or its values",
            .source = "the module or its values",
        },
    [TOOL_TERRAFORM] =
        {
            .is_named = true,
            .undoes = NEXT("terraform apply"),
            .refuses = CONFLICT("terraform apply"),
            .change = "change the Terraform configuration",
            .source = "the Terraform configuration",
            .shares = "list it in ignore_changes of the resource",
            .leaves_scale = "list replicas in ignore_changes of the resource",
        },
    [TOOL_KAPP] =
        {
            .is_named = true,
            .undoes = NEXT("kapp deploy"),
            .change = "change its manifest",
            .or_else = "add a rebase rule",
            .source = "its manifest",
            .shares = "add a rebase rule for it",
            .leaves_scale = "add a rebase rule for .spec.replicas",
            .merges = "add a rebase rule, which keeps",
        },
    [TOOL_KLUCTL] =
        {
            .is_named = true,
            .undoes = NEXT("kluctl deploy"),
            .refuses = "the next kluctl deploy may undo this",
            .resolves_conflicts = true,
            .change = "change the Kluctl project",
            .source = "the Kluctl project",
            .shares = "set the annotation kluctl.io/ignore-conflicts-field",
        },
    [TOOL_CONFIG_SYNC] =
        {
            .is_named = true,
            .undoes = "Config Sync undoes this within seconds",
            .change = "change it in Git",
            .source = "Git",
            .shares = "remove it from Git",
        },
    [TOOL_PULUMI] =
        {
            .is_named = true,
            .undoes = "the next pulumi up may undo this",
            .refuses = CONFLICT("pulumi up"),
            .change = "change the Pulumi program",
            .source = "the Pulumi program",
            .shares = "list it in ignoreChanges of the resource",
            .leaves_scale = "list replicas in ignoreChanges of the resource",
        },
    [TOOL_K3S] =
        {
            .is_named = true,
            .undoes = "k3s undoes this when its manifest changes",
            .change = "change the manifest on the servers",
            .source = "the manifest on the servers",
        },
    [TOOL_WERF] =
        {
            .is_named = true,
            .undoes = NEXT("werf converge"),
            .change = "change the chart or its values",
            .source = "the chart or its values",
            .leaves_scale = "take replicas out of the chart (many charts: autoscaling.enabled=true)",
        },
};

const struct tool_habits *tool_habits(enum tool tool)
{
    return &habits[tool];
}

const struct tool_habits *manager_habits(const struct manager *manager, enum tool tool)
{
    bool has_subresource = false;
    const char *words = tool == TOOL_OTHER ? manager_words(manager, &has_subresource) : NULL;
    for (int other = 0; words && other < TOOL_COUNT; other++) {
        const char *name = tool_name((enum tool)other);
        if (name && strcmp(name, words) == 0)
            return &habits[other];
    }
    return &habits[tool];
}

bool manager_meets_conflicts(const struct manager *manager, const struct tool_habits *habits)
{
    return manager->operation == MANAGER_APPLY && habits->refuses && !habits->resolves_conflicts;
}

const char *manager_reaction(const struct manager *manager, const struct tool_habits *of)
{
    return manager->operation == MANAGER_APPLY && of->refuses ? of->refuses : of->undoes;
}

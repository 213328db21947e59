#include "policy/review/installed_once.h"

#include "base/glob.h"
#include "base/json.h"
#include "policy/managers.h"
#include "policy/review/review.h"

/* helm, pkg/action/install.go: installCRDs; Terraform's provider has Helm as a library */
static bool is_of_helm(const struct managed_fields_entry *entry)
{
    return manager_tool(entry->manager.name) == TOOL_HELM ||
        glob_match(SLICE("terraform-provider-helm*"), entry->manager.name);
}

bool is_installed_once(const struct review *review, const struct managed_fields_entry *entry)
{
    const struct metadata *metadata = entry->old ? &review->old_parts.metadata : &review->parts.metadata;
    return slice_equal(review->group_kind, SLICE("CustomResourceDefinition.apiextensions.k8s.io")) &&
        is_of_helm(entry) && !json_member(metadata->annotations, SLICE("meta.helm.sh/release-name"));
}

#include "policy/review/installed_once.h"

#include "base/glob.h"
#include "base/json.h"
#include "policy/review/review.h"

/* Definitions in crds/ do not get the annotations of the release (helm, pkg/action/install.go, installCRDs).
 */
static bool may_be_in_crds(const struct review *review, const struct managed_fields_entry *entry)
{
    const struct metadata *metadata = entry->old ? &review->old_parts.metadata : &review->parts.metadata;
    return slice_equal(review->group_kind, SLICE("CustomResourceDefinition.apiextensions.k8s.io")) &&
        !json_member(metadata->annotations, SLICE("meta.helm.sh/release-name"));
}

enum manager_class installed_once_class(const struct review *review, const struct managed_fields_entry *entry)
{
    if (!may_be_in_crds(review, entry))
        return CLASS_APPLIER;
    enum tool tool = manager_tool(entry->manager.name);
    /* helm-controller, internal/action/crds.go: its policy for crds/ */
    if (tool == TOOL_HELM_CONTROLLER)
        return CLASS_UNKNOWN;
    /* Terraform's provider has Helm as a library. */
    bool is_helm = tool == TOOL_HELM || glob_match(SLICE("terraform-provider-helm*"), entry->manager.name);
    return is_helm ? CLASS_AD_HOC : CLASS_APPLIER;
}

#include "commands/check/appliers.h"

#include "manifest/kinds.h"

static bool has_option(const struct manifest_node *options, struct slice option)
{
    for (size_t i = 0; options && options->kind == MANIFEST_LIST && i < options->count; i++)
        if (slice_equal(manifest_text(options->items[i]), option))
            return true;
    return false;
}

static bool has_path(const struct manifest_node *source)
{
    return manifest_text(manifest_member(source, SLICE("path"))).length;
}

static bool applies_manifests(const struct manifest_node *spec)
{
    const struct manifest_node *sources = manifest_member(spec, SLICE("sources"));
    for (size_t i = 0; sources && sources->kind == MANIFEST_LIST && i < sources->count; i++)
        if (has_path(sources->items[i]))
            return true;
    return has_path(manifest_member(spec, SLICE("source")));
}

static enum applies applier_of_application(const struct manifest_node *spec)
{
    const struct manifest_node *policy = manifest_member(spec, SLICE("syncPolicy"));
    if (!applies_manifests(spec))
        return APPLIES_NOTHING;
    return has_option(manifest_member(policy, SLICE("syncOptions")), SLICE("ServerSideApply=true"))
        ? APPLIES_SERVER_SIDE
        : APPLIES_CLIENT_SIDE;
}

enum applies applier_of(const struct manifest_object *object)
{
    struct slice group = group_of(object->api_version);
    const struct manifest_node *spec = manifest_member(object->root, SLICE("spec"));
    if (slice_equal(group, SLICE("kustomize.toolkit.fluxcd.io")))
        return slice_equal(object->kind, SLICE("Kustomization")) ? APPLIES_SERVER_SIDE : APPLIES_NOTHING;
    if (!slice_equal(group, SLICE("argoproj.io")))
        return APPLIES_NOTHING;
    if (slice_equal(object->kind, SLICE("ApplicationSet")))
        return applier_of_application(
            manifest_member(manifest_member(spec, SLICE("template")), SLICE("spec")));
    return slice_equal(object->kind, SLICE("Application")) ? applier_of_application(spec) : APPLIES_NOTHING;
}

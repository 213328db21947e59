#include "apply/marks.h"

#include "base/array_size.h"
#include "manifest/edit.h"

struct mark {
    enum apply_tool applier;
    bool is_label;
    const char *key;
};

/* helm-controller applies as Helm, with the labels of its HelmRelease. */
static const struct mark marks[] = {
    {APPLY_HELM, false, "meta.helm.sh/release-name"},
    {APPLY_HELM, false, "meta.helm.sh/release-namespace"},
    {APPLY_HELM, true, "helm.toolkit.fluxcd.io/name"},
    {APPLY_HELM, true, "helm.toolkit.fluxcd.io/namespace"},
    {APPLY_FLUX, true, "kustomize.toolkit.fluxcd.io/name"},
    {APPLY_FLUX, true, "kustomize.toolkit.fluxcd.io/namespace"},
    {APPLY_ARGOCD, false, "argocd.argoproj.io/tracking-id"},
    {APPLY_ARGOCD, false, "argocd.argoproj.io/installation-id"},
    {APPLY_ARGOCD, true, "argocd.argoproj.io/instance"},
};

/* Argo CD's label, unless it tracks objects by its annotation. */
static const struct mark instance = {APPLY_ARGOCD, true, "app.kubernetes.io/instance"};

static struct slice map_name(const struct mark *mark)
{
    return mark->is_label ? SLICE("labels") : SLICE("annotations");
}

static struct slice live_text(const struct value *live, const struct mark *mark)
{
    const struct value *metadata = value_member(live, SLICE("metadata"));
    return value_text(value_member(value_member(metadata, map_name(mark)), slice_of(mark->key)));
}

/* The metadata with this text for the key of a mark. */
static const struct manifest_node *with_text(
    const struct manifest_node *metadata, const struct mark *mark, struct slice text, struct arena *arena)
{
    const struct manifest_node *map = manifest_member(metadata, map_name(mark));
    map = manifest_set_member(map, slice_of(mark->key), manifest_string(text, arena), arena);
    return manifest_set_member(metadata, map_name(mark), map, arena);
}

static const struct manifest_node *with_live(
    const struct manifest_node *metadata, const struct mark *mark, const struct value *live,
    struct arena *arena)
{
    struct slice text = live_text(live, mark);
    bool is_there = manifest_member(manifest_member(metadata, map_name(mark)), slice_of(mark->key)) != NULL;
    return !metadata || !text.length || is_there ? metadata : with_text(metadata, mark, text, arena);
}

static bool is_tracked_by_label(enum apply_tool applier, const struct value *live)
{
    static const struct mark tracking = {APPLY_ARGOCD, false, "argocd.argoproj.io/tracking-id"};
    return applier == APPLY_ARGOCD && !live_text(live, &tracking).length;
}

const struct manifest_node *marks_add(
    enum apply_tool applier, const struct manifest_node *manifest, const struct value *live,
    struct arena *arena)
{
    static const struct mark by_helm = {APPLY_HELM, true, "app.kubernetes.io/managed-by"};
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    if (applier == APPLY_HELM)
        metadata = with_text(metadata, &by_helm, SLICE("Helm"), arena);
    for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
        if (marks[i].applier == applier)
            metadata = with_live(metadata, &marks[i], live, arena);
    if (is_tracked_by_label(applier, live))
        metadata = with_live(metadata, &instance, live, arena);
    return metadata ? manifest_set_member(manifest, SLICE("metadata"), metadata, arena) : NULL;
}

#include "commands/migrate/selection.h"

#include "base/text.h"

#define HELM_LABEL "app.kubernetes.io/managed-by=Helm"
#define KUSTOMIZATION_LABEL "kustomize.toolkit.fluxcd.io/name"

static const struct manifest_node *metadata_of(const struct manifest_object *object, struct slice name)
{
    return manifest_member(manifest_member(object->root, SLICE("metadata")), name);
}

static struct slice text_in(const struct manifest_node *map, struct slice key)
{
    const struct manifest_node *node = manifest_member(map, key);
    return node && node->kind == MANIFEST_STRING ? node->string : (struct slice){NULL, 0};
}

static void append_requirement(struct text *text, const char *requirement, struct slice value)
{
    text_append_all(text, text->length ? "," : "", requirement, value);
}

struct slice migrate_list_selector(const struct migrate_selection *selection, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    text_append(&text, selection->labels);
    if (selection->release.length)
        append_requirement(&text, HELM_LABEL, SLICE(""));
    if (selection->kustomization.length)
        append_requirement(&text, KUSTOMIZATION_LABEL "=", selection->kustomization);
    return text_slice(&text);
}

static bool is_of_release(const struct migrate_selection *selection, const struct manifest_node *annotations)
{
    struct slice name = text_in(annotations, SLICE("meta.helm.sh/release-name"));
    struct slice namespace = text_in(annotations, SLICE("meta.helm.sh/release-namespace"));
    return !selection->release.length ||
        (slice_equal(name, selection->release) &&
         (!selection->namespace.length || slice_equal(namespace, selection->namespace)));
}

/* Argo CD marks objects with a label, or with an annotation APPLICATION:GROUP/KIND:NAMESPACE/NAME. */
static bool is_of_application(
    const struct migrate_selection *selection, const struct manifest_node *labels,
    const struct manifest_node *annotations)
{
    struct slice wanted = selection->application;
    struct slice label = text_in(labels, SLICE("app.kubernetes.io/instance"));
    struct slice tracking = text_in(annotations, SLICE("argocd.argoproj.io/tracking-id"));
    return !wanted.length || slice_equal(label, wanted) ||
        slice_equal(slice_until(tracking, slice_find(tracking, ':')), wanted);
}

/* ReplicaSets of a Deployment, for example. */
static bool has_controller(const struct manifest_object *object)
{
    const struct manifest_node *owners = metadata_of(object, SLICE("ownerReferences"));
    for (size_t i = 0; owners && owners->kind == MANIFEST_LIST && i < owners->count; i++) {
        const struct manifest_node *controller = manifest_member(owners->items[i], SLICE("controller"));
        if (controller && controller->kind == MANIFEST_BOOL && controller->boolean)
            return true;
    }
    return false;
}

bool migrate_selects(const struct migrate_selection *selection, const struct manifest_object *object)
{
    const struct manifest_node *labels = metadata_of(object, SLICE("labels"));
    const struct manifest_node *annotations = metadata_of(object, SLICE("annotations"));
    const struct manifest_node *owners = metadata_of(object, SLICE("managedFields"));
    return owners && owners->kind == MANIFEST_LIST && owners->count && !has_controller(object) &&
        !metadata_of(object, SLICE("deletionTimestamp")) && is_of_release(selection, annotations) &&
        is_of_application(selection, labels, annotations);
}

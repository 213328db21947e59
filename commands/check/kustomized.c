#include "commands/check/kustomized.h"

#include "base/array_size.h"
#include "base/text.h"

/* Kinds whose names kustomize does not change (api/konfig/builtinpluginconsts, nameprefix.go). */
static bool keeps_name(struct slice group_kind)
{
    static const char *const kinds[] = {
        "APIService.apiregistration.k8s.io", "CustomResourceDefinition.apiextensions.k8s.io", "Namespace"};
    return slice_is_one_of(group_kind, kinds, ARRAY_SIZE(kinds));
}

void kustomized_identify(
    const struct kustomized *kustomized, struct manifest_identity *object, bool is_of_cluster,
    struct arena *arena)
{
    const struct slice namespace = kustomized->namespace;
    if (namespace.length && slice_equal(object->group_kind, SLICE("Namespace")))
        object->name = namespace;
    if (namespace.length && !is_of_cluster)
        object->namespace = namespace;
    if (!object->name.length || keeps_name(object->group_kind) ||
        (!kustomized->prefix.length && !kustomized->suffix.length))
        return;
    object->name = text_join(arena, kustomized->prefix, object->name, kustomized->suffix);
}

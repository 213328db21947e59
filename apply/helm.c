#include "apply/helm.h"

#include "base/count.h"
#include "manifest/edit.h"
#include "manifest/kinds.h"

bool helm_is_client_side(const struct live *live, struct slice manager)
{
    bool has_updated = false;
    for (size_t i = 0; live && i < live->count; i++) {
        const struct manager *own = &live->entries[i].manager;
        if (own->subresource.length || !slice_equal(own->name, manager))
            continue;
        if (own->operation == MANAGER_APPLY)
            return false;
        has_updated = true;
    }
    return has_updated;
}

/* The map `metadata` with this text as the value of the key. */
static const struct manifest_node *with_text(
    const struct manifest_node *metadata, struct slice member, struct slice key, struct slice text,
    struct arena *arena)
{
    const struct manifest_node *map = manifest_member(metadata, member);
    map = changed_with(map, key, changed_string(text, arena), arena);
    return changed_with(metadata, member, map, arena);
}

const struct manifest_node *helm_mark(
    const struct manifest_node *manifest, const struct value *live, struct arena *arena)
{
    static const struct slice of_release[] = {
        SLICE_LITERAL("meta.helm.sh/release-name"), SLICE_LITERAL("meta.helm.sh/release-namespace")};
    const struct value *annotations =
        value_member(value_member(live, SLICE("metadata")), SLICE("annotations"));
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    metadata =
        with_text(metadata, SLICE("labels"), SLICE("app.kubernetes.io/managed-by"), SLICE("Helm"), arena);
    for (size_t i = 0; i < COUNT(of_release); i++) {
        struct slice text = value_text(value_member(annotations, of_release[i]));
        if (text.length)
            metadata = with_text(metadata, SLICE("annotations"), of_release[i], text, arena);
    }
    return changed_with(manifest, SLICE("metadata"), metadata, arena);
}

bool helm_lacks_type(struct slice api_version)
{
    return slice_equal(group_of(api_version), SLICE("apiregistration.k8s.io"));
}

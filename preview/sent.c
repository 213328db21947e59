#include "preview/sent.h"

#include "base/count.h"
#include "check/changed.h"

/* What the API server makes of metadata. */
static const struct slice made[] = {SLICE_LITERAL("creationTimestamp"), SLICE_LITERAL("generation"),
                                    SLICE_LITERAL("managedFields"),     SLICE_LITERAL("resourceVersion"),
                                    SLICE_LITERAL("selfLink"),          SLICE_LITERAL("uid")};

const struct manifest_node *sent_of_manifest(
    const struct manifest_node *manifest, struct slice namespace, struct arena *arena)
{
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    for (size_t i = 0; i < COUNT(made); i++)
        metadata = changed_without(metadata, made[i], arena);
    if (namespace.length)
        metadata = changed_with(metadata, SLICE("namespace"), changed_string(namespace, arena), arena);
    manifest = changed_without(manifest, SLICE("status"), arena);
    return changed_with(manifest, SLICE("metadata"), metadata, arena);
}

const struct value *sent_before(const struct value *object, struct arena *arena)
{
    const struct value *metadata = value_member(object, SLICE("metadata"));
    for (size_t i = 0; metadata && i < COUNT(made); i++)
        metadata = value_with(metadata, made[i], NULL, arena);
    object = value_with(object, SLICE("status"), NULL, arena);
    return object ? value_with(object, SLICE("metadata"), metadata, arena) : NULL;
}

#include "apply/sent.h"

#include "base/array_size.h"

/* Members of metadata that the API server sets. */
static const struct slice made[] = {SLICE_LITERAL("creationTimestamp"), SLICE_LITERAL("generation"),
                                    SLICE_LITERAL("managedFields"),     SLICE_LITERAL("resourceVersion"),
                                    SLICE_LITERAL("selfLink"),          SLICE_LITERAL("uid")};

const struct value *sent_declared(const struct value *object, struct arena *arena)
{
    return sent_with_live(object, NULL, arena);
}

const struct value *sent_with_live(const struct value *object, const struct value *live, struct arena *arena)
{
    const struct value *metadata = value_member(object, SLICE("metadata"));
    const struct value *live_metadata = value_member(live, SLICE("metadata"));
    for (size_t i = 0; metadata && i < ARRAY_SIZE(made); i++)
        metadata = value_with(metadata, made[i], value_member(live_metadata, made[i]), arena);
    object = value_with(object, SLICE("status"), value_member(live, SLICE("status")), arena);
    return object ? value_with(object, SLICE("metadata"), metadata, arena) : NULL;
}

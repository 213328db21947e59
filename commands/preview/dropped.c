#include "apply/live.h"
#include "apply/merge/value.h"
#include "commands/preview/preview.h"
#include "manifest/kinds.h"
#include "manifest/secrets.h"

/* pkg/kube/resource_policy.go of Helm 3 and 4; they use the live object's annotation. */
static bool is_left(const struct value *live)
{
    const struct value *annotations =
        value_member(value_member(live, SLICE("metadata")), SLICE("annotations"));
    return slice_equal(
        value_text(value_member(annotations, SLICE("helm.sh/resource-policy"))), SLICE("keep"));
}

const struct preview *preview_make_dropped(
    const struct preview_question *question, struct arena *arena, struct error *error)
{
    const struct manifest_object *manifest = question->manifest;
    struct preview *preview = arena_allocate_array(arena, 1, sizeof(*preview));
    struct live live;
    if (!preview) {
        error_set(error, "there is no memory");
        return NULL;
    }
    if (preview_live_read(question->live, arena, &live, error) < 0)
        return NULL;
    bool stays = is_left(live.object);
    *preview = (struct preview){
        .kind = manifest->kind,
        .namespace = preview_live_metadata(live.object, SLICE("namespace")),
        .name = manifest->name,
        .dropped = stays ? DROPPED_LEFT : DROPPED_DELETED,
        .has_owners = true,
        .before = live.object,
        .after = stays ? live.object : NULL,
        .is_secret = secrets_may_be(manifest->kind),
    };
    return preview;
}

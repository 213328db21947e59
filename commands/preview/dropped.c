#include "apply/first_apply.h"
#include "apply/live.h"
#include "apply/merge/value.h"
#include "commands/preview/preview.h"
#include "commands/preview/prune.h"
#include "manifest/kinds.h"
#include "manifest/secrets.h"

/* pkg/kube/resource_policy.go of Helm 3 and 4; they use the live object's annotation. */
static bool is_left(const struct value *live)
{
    const struct value *annotations = value_at(live, SLICE(".metadata.annotations"));
    return slice_equal(
        value_text(value_member(annotations, SLICE("helm.sh/resource-policy"))), SLICE("keep"));
}

static const struct preview *fill(
    const struct apply_question *question, const struct live *live, struct pruned pruned, struct arena *arena,
    struct error *error)
{
    const struct manifest_object *manifest = question->manifest;
    struct preview *preview = arena_allocate_array(arena, 1, sizeof(*preview));
    if (!preview) {
        error_set_out_of_memory(error);
        return NULL;
    }
    *preview = (struct preview){
        .kind = manifest->kind,
        .namespace = apply_live_metadata(live->object, SLICE("namespace")),
        .name = manifest->name,
        .dropped = pruned.dropped,
        .reason = pruned.reason,
        .has_owners = true,
        .before = live->object,
        .after = pruned.dropped == DROPPED_LEFT ? live->object : NULL,
        .is_secret = secrets_may_be(manifest->kind),
    };
    return preview;
}

const struct preview *preview_make_dropped(
    const struct apply_question *question, struct arena *arena, struct error *error)
{
    struct live live;
    if (apply_live_read(question->live, arena, &live, error) < 0)
        return NULL;
    const struct pruned pruned = is_left(live.object)
        ? (struct pruned){DROPPED_LEFT, "stays, by helm.sh/resource-policy: the chart no longer has it"}
        : (struct pruned){DROPPED_DELETED, "Helm deletes it: the chart no longer has it"};
    return fill(question, &live, pruned, arena, error);
}

const struct preview *preview_make_pruned(
    const struct apply_question *question, const struct prune *prune, struct arena *arena,
    struct error *error)
{
    const struct applier applier = {.namespace = question->manifest->namespace};
    struct first_apply identity;
    struct live live;
    if (!first_apply_identify(question->manifest, &applier, arena, &identity)) {
        error_set_out_of_memory(error);
        return NULL;
    }
    if (apply_live_read(question->live, arena, &live, error) < 0)
        return NULL;
    return fill(question, &live, prune_decide(prune, live.object, identity.group_kind, arena), arena, error);
}

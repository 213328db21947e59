#include "check/facts.h"

#include "base/count.h"
#include "check/kinds.h"
#include "check/leaves.h"

/* An autoscaler: how it names what it scales (.spec.scaleTargetRef), and what it leaves out. */
struct autoscaler_kind {
    struct slice group_kind;
    struct slice api_version; /* by default */
    struct slice kind;        /* likewise */
};

static const struct autoscaler_kind autoscaler_kinds[] = {
    {SLICE_LITERAL("HorizontalPodAutoscaler.autoscaling"), SLICE_LITERAL(""), SLICE_LITERAL("")},
    {SLICE_LITERAL("ScaledObject.keda.sh"), SLICE_LITERAL("apps/v1"), SLICE_LITERAL("Deployment")},
};

static const struct autoscaler_kind *autoscaler_kind_of(struct slice group_kind)
{
    for (size_t i = 0; i < COUNT(autoscaler_kinds); i++)
        if (slice_equal(group_kind, autoscaler_kinds[i].group_kind))
            return &autoscaler_kinds[i];
    return NULL;
}

static struct slice text_or(const struct manifest_node *map, const char *name, struct slice otherwise)
{
    struct slice text = manifest_text(manifest_member(map, slice_of(name)));
    return text.length ? text : otherwise;
}

static void find_target(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct fact *fact)
{
    const struct autoscaler_kind *kind = autoscaler_kind_of(fact->object.group_kind);
    const struct manifest_node *spec = manifest_member(object->root, SLICE("spec"));
    const struct manifest_node *reference = manifest_member(spec, SLICE("scaleTargetRef"));
    if (!kind || !reference)
        return;
    struct slice group = group_of(text_or(reference, "apiVersion", kind->api_version));
    struct slice namespace = applier->namespace.length ? applier->namespace : SLICE("default");
    fact->target = (struct manifest_identity){
        .group_kind = group_kind_of(group, text_or(reference, "kind", kind->kind), arena),
        .namespace = arena_copy(arena, object->namespace.length ? object->namespace : namespace),
        .name = arena_copy(arena, text_or(reference, "name", (struct slice){NULL, 0})),
    };
}

struct fact *fact_of(
    const struct manifest_object *object, const struct applier *applier, bool has_sources,
    struct arena *arena)
{
    struct first_apply made;
    struct fact *fact = arena_allocate_array(arena, 1, sizeof(*fact));
    if (!fact || !first_apply_identify(object, applier, arena, &made))
        return NULL;
    fact->object = (struct manifest_identity){
        made.group_kind, arena_copy(arena, made.namespace), arena_copy(arena, object->name)};
    fact->line = object->root->place.line;
    find_target(object, applier, arena, fact);
    if (has_sources)
        leaves_of(object, arena, &fact->fields);
    return arena_has_failed(arena) ? NULL : fact;
}

bool fact_add(const struct fact *fact, const struct document_place *place, struct manifest_set *set)
{
    const struct manifest_autoscaler autoscaler = {fact->object, *place};
    if (fact->object.name.length && !manifest_set_add(set, &fact->object, place))
        return false;
    for (size_t i = 0; fact->object.name.length && i < fact->fields.count; i++)
        if (!manifest_set_add_field(set, &fact->object, fact->fields.items[i], place))
            return false;
    return !fact->target.name.length || manifest_set_add_autoscaler(set, &autoscaler, &fact->target);
}

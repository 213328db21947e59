#include "commands/check/facts.h"

#include "apply/declared.h"
#include "base/count.h"
#include "manifest/kinds.h"

/* A kind of autoscaler: how it names its target (.spec.scaleTargetRef), and which members may be missing. */
struct autoscaler_kind {
    struct slice group_kind;
    struct slice api_version; /* the default */
    struct slice kind;        /* the default */
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
    struct slice kind_name = text_or(reference, "kind", kind->kind);
    bool is_custom = kind_scope_of(group, kind_name) == KIND_UNKNOWN;
    /* As first_apply_identify: without a namespace custom resources match each other. */
    struct slice namespace = applier->namespace.length || is_custom ? applier->namespace : SLICE("default");
    fact->target = (struct manifest_identity){
        .group_kind = group_kind_of(group, kind_name, arena),
        .namespace = arena_copy(arena, object->namespace.length ? object->namespace : namespace),
        .name = arena_copy(arena, text_or(reference, "name", (struct slice){NULL, 0})),
    };
}

/* ${NAME} and $(NAME) are replaced before the apply: such a name equals no other. */
static bool is_unknown(struct slice text)
{
    size_t dollar = slice_find(text, '$');
    return dollar + 1 < text.length && (text.bytes[dollar + 1] == '{' || text.bytes[dollar + 1] == '(');
}

static void forget_unknown(struct manifest_identity *object)
{
    if (is_unknown(object->name) || is_unknown(object->namespace))
        object->name = (struct slice){NULL, 0};
}

/* As kustomizations, and what fills in variables, leave it. */
static void identify(
    struct fact *fact, const struct kustomized *kustomized, bool is_of_cluster, struct arena *arena)
{
    kustomized_identify(kustomized, &fact->object, is_of_cluster, arena);
    if (fact->target.name.length)
        kustomized_identify(kustomized, &fact->target, false, arena);
    forget_unknown(&fact->object);
    forget_unknown(&fact->target);
}

static bool declares_replicas(const struct manifest_object *object)
{
    const struct manifest_node *replicas =
        manifest_member(manifest_member(object->root, SLICE("spec")), SLICE("replicas"));
    return replicas && replicas->kind != MANIFEST_NULL;
}

struct fact *fact_of(
    const struct manifest_object *object, const struct applier *applier, const struct kustomized *kustomized,
    bool has_sources, struct arena *arena)
{
    struct first_apply made;
    struct fact *fact = arena_allocate_array(arena, 1, sizeof(*fact));
    if (!fact || !first_apply_identify(object, applier, arena, &made))
        return NULL;
    fact->object = (struct manifest_identity){
        made.group_kind, arena_copy(arena, made.namespace), arena_copy(arena, object->name)};
    fact->line = object->root->place.line;
    fact->has_replicas = declares_replicas(object);
    find_target(object, applier, arena, fact);
    identify(
        fact, kustomized, kind_scope_of(group_of(object->api_version), object->kind) == KIND_CLUSTER, arena);
    if (has_sources) {
        struct declared declared = declared_read(object->api_version, object->kind, object->root, arena);
        fact->fields = declared_leaves(&declared, arena);
    }
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

static void find_overlaps(
    const struct fact *fact, const struct document_place *place, const struct manifest_set *set,
    struct arena *arena, struct document_neighbours *neighbours)
{
    struct document_overlap *overlaps = arena_allocate_array(arena, fact->fields.count, sizeof(*overlaps));
    for (size_t i = 0; overlaps && i < fact->fields.count; i++) {
        struct slice field = fact->fields.items[i];
        const struct document_place *first = manifest_set_first_of_field(set, &fact->object, field, arena);
        if (first && first->order < place->order && !slice_equal(first->source, place->source))
            overlaps[neighbours->overlap_count++] = (struct document_overlap){field, first};
    }
    neighbours->overlaps = overlaps;
}

struct document_neighbours fact_neighbours(
    const struct fact *fact, const struct document_place *place, const struct manifest_set *set,
    struct arena *arena)
{
    struct document_neighbours neighbours = {0};
    if (!fact->object.name.length)
        return neighbours;
    const struct document_place *first = manifest_set_first(set, &fact->object, place, arena);
    neighbours.first = first && first->order < place->order ? first : NULL;
    if (fact->has_replicas)
        neighbours.autoscaler = manifest_set_autoscaler_of(set, &fact->object, place, arena);
    neighbours.is_shared = manifest_set_is_shared(set, &fact->object, arena);
    if (fact->fields.count)
        find_overlaps(fact, place, set, arena, &neighbours);
    return neighbours;
}

bool neighbours_are_silent(const struct document_neighbours *neighbours)
{
    return !neighbours->first && !neighbours->autoscaler && !neighbours->is_shared &&
        !neighbours->overlap_count;
}

#include "commands/check/declarations.h"

#include "apply/declared.h"
#include "commands/check/variants.h"
#include "manifest/kinds.h"
#include "manifest/variable.h"
#include "policy/analysis/autoscalers.h"

static struct slice text_of(const struct manifest_node *map, const char *name)
{
    return manifest_text(manifest_member(map, slice_of(name)));
}

static void find_target(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct declaration *declaration)
{
    const struct manifest_node *spec = manifest_member(object->root, SLICE("spec"));
    const struct manifest_node *reference = manifest_member(spec, SLICE("scaleTargetRef"));
    struct autoscaler_target target = {
        text_of(reference, "apiVersion"), text_of(reference, "kind"), text_of(reference, "name")};
    if (!reference || !autoscaler_complete_target(declaration->object.group_kind, &target))
        return;
    struct slice group = group_of(target.api_version);
    bool is_custom = kind_scope_of(group, target.kind) == KIND_UNKNOWN;
    /* As first_apply_identify: without a namespace custom resources match each other. */
    struct slice namespace = applier->namespace.length || is_custom ? applier->namespace : SLICE("default");
    declaration->target = (struct manifest_identity){
        .group_kind = group_kind_of(group, target.kind, arena),
        .namespace = arena_copy(arena, object->namespace.length ? object->namespace : namespace),
        .name = arena_copy(arena, target.name),
    };
}

/* A name that something replaces before the apply equals no other. */
static void forget_unknown(struct manifest_identity *object)
{
    if (variable_is_in(object->name) || variable_is_in(object->namespace))
        object->name = (struct slice){NULL, 0};
}

/* As kustomizations, and what fills in variables, leave it. */
static void identify(
    struct declaration *declaration, const struct kustomized *kustomized, bool is_of_cluster,
    struct arena *arena)
{
    kustomized_identify(kustomized, &declaration->object, is_of_cluster, arena);
    if (declaration->target.name.length)
        kustomized_identify(kustomized, &declaration->target, false, arena);
    forget_unknown(&declaration->object);
    forget_unknown(&declaration->target);
}

static bool declares_replicas(const struct manifest_object *object)
{
    const struct manifest_node *replicas =
        manifest_member(manifest_member(object->root, SLICE("spec")), SLICE("replicas"));
    return replicas && replicas->kind != MANIFEST_NULL;
}

struct declaration *declaration_of(
    const struct manifest_object *object, const struct first_apply *identity, const struct applier *applier,
    const struct check_input *input, struct arena *arena)
{
    struct declaration *declaration = arena_allocate_array(arena, 1, sizeof(*declaration));
    if (!declaration)
        return NULL;
    declaration->object =
        (struct manifest_identity){identity->group_kind, identity->namespace, identity->name};
    declaration->line = object->root->place.line;
    declaration->has_replicas = declares_replicas(object);
    declaration->applies = applier_of(object);
    if (slice_equal(declaration->object.group_kind, SLICE("CustomResourceDefinition.apiextensions.k8s.io")))
        declaration->topology = crd_topology_read(object, arena);
    find_target(object, applier, arena, declaration);
    identify(declaration, &input->kustomized, identity->scope == KIND_CLUSTER, arena);
    if (input->source.length) {
        struct declared declared = declared_read(object->api_version, object->kind, object->root, arena);
        declaration->fields = declared_leaves(&declared, arena);
    }
    return arena_has_failed(arena) ? NULL : declaration;
}

bool declaration_add_former(
    const struct declaration *declaration, const struct document_place *place, struct manifest_set *set)
{
    return !declaration->topology || !declaration->object.name.length ||
        manifest_set_add_topology(set, &declaration->object, declaration->topology, place);
}

bool declaration_add(
    const struct declaration *declaration, const struct document_place *place, struct manifest_set *set)
{
    const struct manifest_autoscaler autoscaler = {declaration->object, *place};
    if (declaration->object.name.length && !manifest_set_add(set, &declaration->object, place))
        return false;
    if (!declaration_add_former(declaration, place, set))
        return false;
    for (size_t i = 0; declaration->object.name.length && i < declaration->fields.count; i++)
        if (!manifest_set_add_field(set, &declaration->object, declaration->fields.items[i], place))
            return false;
    return !declaration->target.name.length ||
        manifest_set_add_autoscaler(set, &autoscaler, &declaration->target);
}

static void find_overlaps(
    const struct declaration *declaration, const struct document_place *place, const struct manifest_set *set,
    struct arena *arena, struct other_manifests *others)
{
    struct document_overlap *overlaps =
        arena_allocate_array(arena, declaration->fields.count, sizeof(*overlaps));
    for (size_t i = 0; overlaps && i < declaration->fields.count; i++) {
        struct slice field = declaration->fields.items[i];
        const struct document_place *first =
            manifest_set_first_of_field(set, &declaration->object, field, arena);
        if (first && first->order < place->order && !slice_equal(first->source, place->source))
            overlaps[others->overlap_count++] = (struct document_overlap){field, first};
    }
    others->overlaps = overlaps;
}

static void find_former_topology(
    const struct declaration *declaration, const struct document_place *place, const struct manifest_set *set,
    struct arena *arena, struct other_manifests *others)
{
    const struct document_place *former;
    const struct crd_topology *topology = manifest_set_topology(set, &declaration->object, &former, arena);
    if (!topology || former->order >= place->order || !crd_topology_differs(topology, declaration->topology))
        return;
    others->topology = topology;
    others->topology_place = former;
    others->is_topology_alternative = !former->is_former &&
        (!slice_equal(former->root, place->root) ||
         manifest_set_are_alternatives(set, place, former, arena) ||
         manifest_set_are_alternatives(set, former, place, arena));
}

static bool have_names_of_alternatives(
    const struct declaration *declaration, struct slice file, struct slice first)
{
    return files_are_variants(file, first) ||
        (declaration->is_alone &&
         files_are_siblings(file, first, declaration->object.group_kind, declaration->object.name));
}

/* Two files of one directory, and not of a kustomization. */
static bool are_alternatives(
    const struct declaration *declaration, const struct document_place *place,
    const struct document_place *first, const struct manifest_set *set, struct arena *arena)
{
    bool is_of_folder = place->root.length && !place->is_kustomized;
    return (is_of_folder && have_names_of_alternatives(declaration, place->file, first->file)) ||
        manifest_set_are_alternatives(set, place, first, arena);
}

struct other_manifests declaration_other_manifests(
    const struct declaration *declaration, const struct document_place *place, const struct manifest_set *set,
    struct arena *arena)
{
    struct other_manifests others = {0};
    if (!declaration->object.name.length)
        return others;
    const struct document_place *first = manifest_set_first(set, &declaration->object, place, arena);
    others.first = first && first->order < place->order ? first : NULL;
    if (!others.first) {
        others.first = manifest_set_alternative(set, &declaration->object, place, arena);
        others.is_alternative = others.first;
    } else {
        others.is_alternative = are_alternatives(declaration, place, first, set, arena);
    }
    if (declaration->topology)
        find_former_topology(declaration, place, set, arena, &others);
    if (declaration->has_replicas)
        others.autoscaler = manifest_set_autoscaler_of(set, &declaration->object, place, arena);
    others.is_shared = manifest_set_is_shared(set, &declaration->object, arena);
    if (declaration->fields.count)
        find_overlaps(declaration, place, set, arena, &others);
    return others;
}

bool has_no_cross_manifest_findings(const struct other_manifests *others)
{
    return !others->first && !others->autoscaler && !others->is_shared && !others->overlap_count &&
        !others->topology;
}

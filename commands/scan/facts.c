#include "commands/scan/facts.h"

#include "base/json.h"
#include "base/split.h"
#include "base/text.h"
#include "manifest/kinds.h"
#include "policy/analysis/apply_sets.h"
#include "policy/analysis/autoscalers.h"
#include "policy/analysis/replicas.h"
#include "policy/review/applied.h"

#define PARENT_LABEL "applyset.kubernetes.io/id"
#define KINDS_ANNOTATION "applyset.kubernetes.io/contains-group-kinds"
#define NAMESPACES_ANNOTATION "applyset.kubernetes.io/additional-namespaces"

struct autoscaler {
    struct slice target; /* Deployment.apps, namespace and name, each with a NUL behind it */
    struct manifest_identity identity;
};

struct parent {
    struct slice id;
    struct manifest_identity identity;
    struct slice kinds, namespaces; /* the annotations; NULL bytes: it has none */
};

bool scan_facts_start(struct scan_facts *facts)
{
    struct arena *arena = arena_create();
    *facts = (struct scan_facts){
        .arena = arena,
        .autoscalers = {.arena = arena, .record_bytes = sizeof(struct autoscaler)},
        .parents = {.arena = arena, .record_bytes = sizeof(struct parent)},
        .objects = {.arena = arena, .record_bytes = sizeof(struct scan_related)},
    };
    return arena != NULL;
}

void scan_facts_release(struct scan_facts *facts)
{
    arena_destroy(facts->arena);
    *facts = (struct scan_facts){0};
}

struct slice scan_key(const struct slice *parts, size_t count, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    for (size_t i = 0; i < count; i++)
        text_append_all(&text, parts[i], SLICE("\0"));
    return text_slice(&text);
}

static struct manifest_identity copy_identity(const struct review *review, struct arena *arena)
{
    return (struct manifest_identity){
        arena_copy(arena, review->group_kind), arena_copy(arena, review->namespace),
        arena_copy(arena, review->name)};
}

static bool add_autoscaler(struct scan_facts *facts, const struct review *review)
{
    yyjson_val *reference = json_member(review->parts.spec, SLICE("scaleTargetRef"));
    struct autoscaler_target target = {
        json_text(json_member(reference, SLICE("apiVersion"))),
        json_text(json_member(reference, SLICE("kind"))), json_text(json_member(reference, SLICE("name")))};
    if (!autoscaler_complete_target(review->group_kind, &target) || !target.name.length)
        return true;
    const struct slice parts[] = {
        group_kind_of(group_of(target.api_version), target.kind, review->arena), review->namespace,
        target.name};
    struct slice key = scan_key(parts, 3, review->arena);
    struct autoscaler *autoscaler = key.bytes ? name_table_add(&facts->autoscalers, key) : NULL;
    if (autoscaler && !autoscaler->identity.name.length)
        autoscaler->identity = copy_identity(review, facts->arena);
    return autoscaler != NULL;
}

static bool add_parent(struct scan_facts *facts, const struct review *review)
{
    const struct metadata *metadata = &review->parts.metadata;
    struct slice id = json_text(json_member(metadata->labels, SLICE(PARENT_LABEL)));
    if (!apply_set_id_valid(id))
        return true;
    struct parent *parent = name_table_add(&facts->parents, id);
    if (!parent || parent->identity.name.length)
        return parent != NULL;
    parent->identity = copy_identity(review, facts->arena);
    parent->kinds =
        arena_copy(facts->arena, json_text(json_member(metadata->annotations, SLICE(KINDS_ANNOTATION))));
    parent->namespaces =
        arena_copy(facts->arena, json_text(json_member(metadata->annotations, SLICE(NAMESPACES_ANNOTATION))));
    return true;
}

static bool declares_replicas(const struct review *review)
{
    return review->ownership.writer.known &&
        applied_declares_itself(review, SLICE(REPLICAS_PATH)) == DECLARED_YES &&
        json_member(review->parts.spec, SLICE("replicas"));
}

static bool add_related(struct scan_facts *facts, const struct review *review)
{
    struct slice id = json_text(json_member(review->parts.metadata.labels, SLICE(APPLY_SET_MEMBER_LABEL)));
    bool declares = declares_replicas(review);
    if (!declares && !apply_set_id_valid(id))
        return true;
    const struct slice parts[] = {
        json_text(review->parts.api_version), review->kind, review->namespace, review->name};
    struct slice key = scan_key(parts, 4, review->arena);
    struct scan_related *related = key.bytes ? name_table_add(&facts->objects, key) : NULL;
    if (!related)
        return false;
    related->has_declarer = declares;
    if (declares)
        related->declarer = (struct manager){
            .name = arena_copy(facts->arena, review->ownership.writer.manager.name),
            .operation = review->ownership.writer.manager.operation,
        };
    if (apply_set_id_valid(id))
        related->apply_set = arena_copy(facts->arena, id);
    return true;
}

bool scan_facts_add(struct scan_facts *facts, const struct review *review)
{
    return add_autoscaler(facts, review) && add_parent(facts, review) && add_related(facts, review) &&
        !arena_has_failed(facts->arena);
}

struct scan_related_object scan_related_object(struct slice key)
{
    struct slice rest = key;
    struct scan_related_object object;
    object.api_version = split_next(&rest, '\0');
    object.kind = split_next(&rest, '\0');
    object.namespace = split_next(&rest, '\0');
    object.name = split_next(&rest, '\0');
    return object;
}

/* A parent that lists no kinds is written by an older tool, in another form. */
static enum stored_apply_set compare_with_parent(
    const struct parent *parent, const struct scan_related_object *object, struct slice group_kind)
{
    if (parent->kinds.bytes && !split_has(parent->kinds, ',', group_kind))
        return STORED_APPLY_SET_OTHER_KINDS;
    bool is_elsewhere = object->namespace.length && parent->identity.namespace.length &&
        !slice_equal(object->namespace, parent->identity.namespace);
    return is_elsewhere && !split_has(parent->namespaces, ',', object->namespace)
        ? STORED_APPLY_SET_OTHER_NAMESPACES
        : STORED_APPLY_SET_AGREES;
}

static void find_parent(
    const struct scan_facts *facts, const struct scan_related *related,
    const struct scan_related_object *object, struct slice group_kind, struct stored_object *stored)
{
    if (!related->apply_set.length)
        return;
    const struct parent *parent = name_table_find(&facts->parents, related->apply_set);
    if (parent) {
        stored->apply_set = compare_with_parent(parent, object, group_kind);
        stored->apply_set_parent = &parent->identity;
    } else if (facts->is_complete) {
        stored->apply_set = STORED_APPLY_SET_NO_PARENT;
    }
}

bool scan_facts_find(
    const struct scan_facts *facts, const struct scan_related *related, struct arena *arena,
    struct stored_object *stored)
{
    const struct scan_related_object object = scan_related_object(related->key);
    const struct slice parts[] = {
        group_kind_of(group_of(object.api_version), object.kind, arena), object.namespace, object.name};
    *stored = (struct stored_object){0};
    struct slice key = scan_key(parts, 3, arena);
    if (!key.bytes)
        return false;
    const struct autoscaler *autoscaler =
        related->has_declarer ? name_table_find(&facts->autoscalers, key) : NULL;
    if (autoscaler) {
        stored->autoscaler = &autoscaler->identity;
        stored->declarer = &related->declarer;
    }
    find_parent(facts, related, &object, parts[0], stored);
    return stored->autoscaler || stored->apply_set != STORED_APPLY_SET_AGREES;
}

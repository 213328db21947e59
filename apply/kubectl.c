#include "apply/kubectl.h"

#include "apply/first_apply.h"

static const struct field_node annotation = {
    SLICE_LITERAL("f:" LAST_APPLIED_ANNOTATION), &field_set_empty, true};
static const struct field_set in_annotations = {&annotation, 1};
static const struct field_node annotations = {SLICE_LITERAL("f:annotations"), &in_annotations, false};
static const struct field_set in_metadata = {&annotations, 1};
static const struct field_node metadata = {SLICE_LITERAL("f:metadata"), &in_metadata, false};
static const struct field_set last_applied = {&metadata, 1};

bool kubectl_takes_over(const struct attempt *attempt, size_t index, struct arena *arena)
{
    const struct owner_entry *entry = &attempt->live->entries[index];
    struct slice api_version = value_text(value_member(attempt->manifest, SLICE("apiVersion")));
    return entry->manager.operation == MANAGER_UPDATE && !entry->manager.subresource.length &&
        slice_equal(entry->api_version, api_version) &&
        !field_set_is_empty(field_set_intersection(entry->fields, &last_applied, arena));
}

const struct field_set *kubectl_left_over(
    const struct attempt *attempt, const struct outcome *outcome, size_t index, struct arena *arena)
{
    if (!kubectl_takes_over(attempt, index, arena))
        return &field_set_empty;
    const struct field_set *left = field_set_leaves(outcome->remaining[index], arena);
    left = field_set_difference(left, field_set_with_parents(outcome->fields, attempt->type, arena), arena);
    for (size_t i = 0; i < attempt->live->count; i++)
        if (i != index)
            left = field_set_difference(left, outcome->remaining[i], arena);
    /* With its default name, kubectl keeps the annotation (saveLastApplyAnnotationIfNecessary). */
    if (slice_equal(attempt->manager.name, SLICE("kubectl")))
        left = field_set_difference(left, &last_applied, arena);
    return left;
}

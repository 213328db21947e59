#include "apply/outcome.h"

#include "apply/merge/typed.h"
#include "apply/stored.h"
#include "manifest/edit.h"
#include "manifest/write.h"

/*
 * Fields that the manager kubectl may take from any manager: the last client-side apply declared them, and
 * they still have its values (managedfields/internal/lastappliedmanager.go).
 */
static const struct field_set *declared_before(const struct attempt *attempt, struct arena *arena)
{
    const struct value *live = attempt->live->object;
    struct slice text = value_text(outcome_last_applied(live));
    const struct value *applied = text.length ? value_read_json(text, arena) : NULL;
    struct slice version = value_text(value_member(applied, SLICE("apiVersion")));
    if (!applied || !slice_equal(version, value_text(value_member(attempt->manifest, SLICE("apiVersion")))))
        return &field_set_empty;
    struct comparison change = typed_compare(attempt->type, applied, live, arena);
    const struct field_set *fields = typed_fields(attempt->type, applied, arena);
    fields = field_set_difference(fields, change.modified, arena);
    fields = field_set_difference(fields, change.added, arena);
    return field_set_difference(fields, change.removed, arena);
}

static void allow_declared(
    const struct attempt *attempt, struct arena *arena, struct server_side_result *result)
{
    const struct field_set *allowed = declared_before(attempt, arena);
    result->has_conflicts = false;
    for (size_t i = 0; i < attempt->live->count; i++) {
        result->conflicts[i] = field_set_difference(result->conflicts[i], allowed, arena);
        result->has_conflicts |= !field_set_is_empty(result->conflicts[i]);
    }
}

/* The manifest without the annotation itself. */
static struct slice configuration_of(const struct attempt *attempt, struct arena *arena)
{
    const struct manifest_node *metadata = manifest_member(attempt->applied, SLICE("metadata"));
    const struct manifest_node *annotations = manifest_member(metadata, SLICE("annotations"));
    const struct manifest_node *applied = attempt->applied;
    if (manifest_member(annotations, SLICE(LAST_APPLIED_ANNOTATION))) {
        annotations = manifest_remove_member(annotations, SLICE(LAST_APPLIED_ANNOTATION), arena);
        metadata = manifest_set_member(metadata, SLICE("annotations"), annotations, arena);
        applied = manifest_set_member(applied, SLICE("metadata"), metadata, arena);
    }
    if (!applied)
        return (struct slice){NULL, 0};
    return text_join(arena, manifest_json(applied, arena), "\n");
}

/* An apply by the manager kubectl updates the annotation (managedfields/internal/lastappliedupdater.go). */
static const struct value *update_last_applied(
    const struct attempt *attempt, const struct value *object, struct arena *arena)
{
    if (!outcome_last_applied(object))
        return object;
    struct slice text = configuration_of(attempt, arena);
    const struct value *value = text.bytes ? value_string(text, arena) : NULL;
    const struct value *metadata = value_member(object, SLICE("metadata"));
    const struct value *annotations = value_member(metadata, SLICE("annotations"));
    annotations = value ? value_with(annotations, SLICE(LAST_APPLIED_ANNOTATION), value, arena) : NULL;
    metadata = annotations ? value_with(metadata, SLICE("annotations"), annotations, arena) : NULL;
    return metadata ? value_with(object, SLICE("metadata"), metadata, arena) : NULL;
}

/*
 * Containers of fields: of the manifest, which therefore has them, or of other managers, which need not own
 * the containers.
 */
static const struct field_set *holders(
    const struct attempt *attempt, const struct field_set *fields, const struct server_side_result *result,
    struct arena *arena)
{
    size_t count = attempt->live ? attempt->live->count : 0;
    const struct field_set *owned = field_set_union_all(result->remaining, count, arena);
    const struct field_set *parents =
        field_set_difference(field_set_with_parents(owned, attempt->type, arena), owned, arena);
    return field_set_union(parents, field_set_with_parents(fields, attempt->type, arena), arena);
}

/*
 * Fields that the applier gives up, but that still exist: other managers own them, or they are stored under
 * another name.
 */
static const struct field_set *kept(
    const struct attempt *attempt, const struct value *after, const struct server_side_result *result,
    struct arena *arena)
{
    const struct field_set *fields = stored_fields(attempt->manifest, result->fields, arena);
    const struct field_set *given_up =
        field_set_difference(stored_fields(attempt->manifest, result->given_up, arena), fields, arena);
    given_up = typed_fields_in(attempt->type, after, given_up, arena);
    given_up = field_set_union(result->kept, given_up, arena);
    return field_set_difference(given_up, holders(attempt, fields, result, arena), arena);
}

static int apply(
    const struct attempt *attempt, size_t applier, struct arena *arena, struct outcome *outcome,
    struct server_side_result *result, struct error *error)
{
    size_t count = attempt->live ? attempt->live->count : 0;
    const struct field_set **owners = arena_allocate_array(arena, count + 1, sizeof(*owners));
    if (!owners || !outcome->before)
        return error_set_out_of_memory(error);
    for (size_t i = 0; i < count; i++)
        owners[i] = attempt->live->entries[i].fields;
    const struct server_side_apply question = {
        .type = attempt->type,
        .live = outcome->before,
        .configuration = attempt->manifest,
        .owners = owners,
        .owner_count = count,
        .applier = applier,
    };
    if (server_side_apply(&question, arena, result, error) < 0)
        return arena_has_failed(arena) ? -1 : 1;
    return 0;
}

int outcome_of_server_side(
    const struct attempt *attempt, struct arena *arena, struct outcome *outcome, struct error *error)
{
    struct server_side_result result = {0};
    *outcome = (struct outcome){.applier = outcome_find_applier(attempt), .unknown = &field_set_empty};
    outcome->before = attempt->live ? attempt->live->object : value_map(NULL, 0, arena);
    int status = apply(attempt, outcome->applier, arena, outcome, &result, error);
    if (status)
        return status;
    bool is_kubectl = slice_equal(attempt->manager.name, SLICE("kubectl"));
    if (is_kubectl && attempt->live && result.has_conflicts && !attempt->is_forced)
        allow_declared(attempt, arena, &result);
    const struct value *merged =
        is_kubectl ? update_last_applied(attempt, result.merged, arena) : result.merged;
    outcome->after = merged ? stored_object(attempt, merged, arena, &outcome->unknown) : NULL;
    outcome->fields = result.fields;
    outcome->conflicts = result.conflicts;
    outcome->has_conflicts = result.has_conflicts;
    outcome->remaining = result.remaining;
    if (!outcome->after || arena_has_failed(arena))
        return error_set_out_of_memory(error);
    outcome->kept = kept(attempt, outcome->after, &result, arena);
    outcome->after = outcome_with_defaults(attempt, outcome->after, arena);
    outcome_compare(attempt, arena, outcome);
    if (outcome->applier == (attempt->live ? attempt->live->count : 0))
        outcome->remaining[outcome->applier] = result.fields;
    return outcome->after ? 0 : error_set_out_of_memory(error);
}

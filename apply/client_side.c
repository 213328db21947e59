#include "apply/outcome.h"

#include "apply/first_apply.h"
#include "apply/merge/client_side.h"
#include "apply/merge/json_patch.h"
#include "apply/merge/typed.h"
#include "apply/sent.h"
#include "apply/stored.h"
#include "manifest/json_value.h"

/* The object with a member of the manifest. Returns NULL if memory runs out. */
static const struct value *with_member(
    const struct value *object, const struct manifest_node *manifest, struct slice name, struct arena *arena)
{
    const struct manifest_node *node = manifest_member(manifest, name);
    yyjson_val *json = node ? manifest_json_value(node, arena) : NULL;
    const struct value *value = json ? value_read(json, arena, NULL) : NULL;
    if (!node || !object)
        return object;
    return value ? value_with(object, name, value, arena) : NULL;
}

/*
 * The manifest to merge: kubectl's contains its own text in the annotation, Helm's is unchanged. Unlike the
 * attempt's, it has the members that the API server makes itself. Returns NULL if memory runs out.
 */
static const struct value *merged_manifest(const struct attempt *attempt, struct arena *arena)
{
    struct slice last_applied;
    if (attempt->previous)
        return attempt->manifest;
    const struct manifest_node *manifest = first_apply_annotate(attempt->applied, arena, &last_applied);
    if (!manifest)
        return NULL;
    const struct value *merged = with_member(attempt->manifest, manifest, SLICE("metadata"), arena);
    return with_member(merged, manifest, SLICE("status"), arena);
}

/*
 * The manifest that was applied before: Helm's previous one, or the one in the live object's annotation;
 * returns NULL if it has none. Returns 1 and a sentence if kubectl cannot read it.
 */
static int read_last_applied(
    const struct attempt *attempt, struct arena *arena, const struct value **last_applied,
    struct error *error)
{
    struct slice text = value_text(outcome_last_applied(attempt->live->object));
    *last_applied = attempt->previous;
    if (attempt->previous)
        return 0;
    *last_applied = text.length ? value_read_json(text, arena) : NULL;
    if (!text.length || (*last_applied && (*last_applied)->kind == VALUE_MAP))
        return 0;
    if (arena_has_failed(arena))
        return error_set_out_of_memory(error);
    error_set(
        error, "%s",
        "kubectl apply cannot read the last-applied annotation of the live object; kubectl apply "
        "set-last-applied writes it again");
    return 1;
}

/* kubectl creates an object that does not exist. */
static int create(
    const struct attempt *attempt, const struct value *manifest, struct arena *arena, struct outcome *outcome,
    struct error *error)
{
    outcome->before = value_map(NULL, 0, arena);
    const struct value *declared = sent_declared(manifest, arena);
    /* kubectl and Argo CD leave out the nulls of maps. */
    if (declared && attempt->is_custom && !attempt->previous)
        declared = json_patch_apply(&value_empty_map, declared, arena);
    outcome->after = declared ? stored_object(attempt, declared, arena, &outcome->unknown) : NULL;
    if (!outcome->after)
        return error_set_out_of_memory(error);
    outcome->fields =
        field_set_difference(typed_fields(attempt->type, outcome->after, arena), untracked_fields(), arena);
    return 0;
}

/* The merged object as the API server stores it. */
static const struct value *merged_object(
    const struct attempt *attempt, const struct value *merged, struct arena *arena, struct outcome *outcome)
{
    const struct value *after = sent_with_live(merged, attempt->live->object, arena);
    return after ? stored_object(attempt, after, arena, &outcome->unknown) : NULL;
}

/* Fields that the three-way merge should have deleted, but that still exist. */
static const struct field_set *kept(
    const struct attempt *attempt, const struct value *last_applied, const struct value *manifest,
    const struct value *after, struct arena *arena)
{
    const struct value *before = stored_string_data(attempt, last_applied, arena);
    const struct value *declared = stored_string_data(attempt, manifest, arena);
    if (!before || !declared)
        return &field_set_empty;
    const struct field_set *dropped = typed_compare(attempt->type, before, declared, arena).removed;
    dropped = typed_fields_in(attempt->type, before, dropped, arena);
    return typed_fields_in(attempt->type, after, dropped, arena);
}

static int patch(
    const struct attempt *attempt, const struct value *manifest, struct arena *arena, struct outcome *outcome,
    struct error *error)
{
    struct client_side_result result;
    struct client_side_apply apply = {
        .type = attempt->type,
        .is_custom = attempt->is_custom,
        .is_two_way = attempt->compares_manifests,
        .manifest = manifest,
        .live = attempt->live->object,
    };
    int status = read_last_applied(attempt, arena, &apply.last_applied, error);
    if (status)
        return status;
    if (client_side_apply(&apply, arena, &result, error) < 0)
        return arena_has_failed(arena) || result.has_given_up ? -1 : 1;
    outcome->before = apply.live;
    outcome->is_unsent = value_is_empty(result.patch);
    outcome->after = outcome->is_unsent ? apply.live : merged_object(attempt, result.merged, arena, outcome);
    const struct value *last_applied = sent_declared(apply.last_applied, arena);
    if (last_applied && outcome->after)
        outcome->kept = kept(attempt, last_applied, manifest, outcome->after, arena);
    return 0;
}

/*
 * An Update owns the fields that it changes, and takes them from other managers (structured-merge-diff,
 * merge/update.go).
 */
static void own(const struct attempt *attempt, struct arena *arena, struct outcome *outcome)
{
    const struct comparison change = outcome->change;
    const struct field_set *written = field_set_difference(
        field_set_union(change.modified, change.added, arena), untracked_fields(), arena);
    for (size_t i = 0; i < attempt->live->count; i++) {
        const struct field_set *fields = attempt->live->entries[i].fields;
        outcome->conflicts[i] = &field_set_empty;
        if (i == outcome->applier) {
            outcome->fields = field_set_union(fields, written, arena);
        } else {
            outcome->conflicts[i] = field_set_intersection(fields, written, arena);
            outcome->has_conflicts |= !field_set_is_empty(outcome->conflicts[i]);
            fields = field_set_difference(fields, outcome->conflicts[i], arena);
        }
        outcome->remaining[i] = field_set_difference(fields, change.removed, arena);
    }
    outcome->fields = field_set_difference(
        outcome->applier < attempt->live->count ? outcome->fields : written, change.removed, arena);
}

int outcome_of_client_side(
    const struct attempt *attempt, struct arena *arena, struct outcome *outcome, struct error *error)
{
    size_t count = attempt->live ? attempt->live->count : 0;
    const struct value *manifest = merged_manifest(attempt, arena);
    *outcome = (struct outcome){
        .applier = outcome_find_applier(attempt),
        .remaining = arena_allocate_array(arena, count + 1, sizeof(*outcome->remaining)),
        .conflicts = arena_allocate_array(arena, count + 1, sizeof(*outcome->conflicts)),
        .kept = &field_set_empty,
        .fields = &field_set_empty,
        .unknown = &field_set_empty,
    };
    if (!manifest || !outcome->remaining || !outcome->conflicts)
        return error_set_out_of_memory(error);
    int status = attempt->live ? patch(attempt, manifest, arena, outcome, error)
                               : create(attempt, manifest, arena, outcome, error);
    if (status)
        return status;
    outcome->after = outcome_with_defaults(attempt, outcome->after, arena);
    outcome_compare(attempt, arena, outcome);
    if (attempt->live && outcome->after)
        own(attempt, arena, outcome);
    if (!outcome->after || arena_has_failed(arena))
        return error_set_out_of_memory(error);
    outcome->remaining[outcome->applier] = outcome->fields;
    return 0;
}

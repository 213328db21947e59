#include "apply/upgrade.h"

#include "apply/applier.h"
#include "apply/first_apply.h"
#include "apply/helm.h"
#include "apply/marks.h"
#include "apply/merge/paths.h"
#include "apply/outcome.h"
#include "apply/sent.h"
#include "apply/type.h"
#include "manifest/json_value.h"

/* The object as Helm sends it. Returns NULL if it cannot be read, or memory runs out. */
static const struct value *read_manifest(struct attempt *attempt, struct arena *arena, struct error *error)
{
    yyjson_val *json = attempt->applied ? manifest_json_value(attempt->applied, arena) : NULL;
    const struct value *value = json ? value_read(json, arena, error) : NULL;
    return value ? sent_declared(value, arena) : NULL;
}

/* Returns false if the question cannot be decided, or memory runs out. */
static bool prepare(
    const struct apply_question *question, struct arena *arena, struct live *live, struct attempt *attempt,
    struct error *error)
{
    struct found_type found;
    if (apply_live_read(question->live, arena, live, error) < 0 ||
        type_find(question, live, arena, &found, error) < 0 || !found.is_known)
        return false;
    *attempt = (struct attempt){
        .type = found.type,
        .live = live,
        .manager = applier_manager(question, live),
        .is_custom = found.is_custom};
    struct slice namespace = apply_live_metadata(live->object, SLICE("namespace"));
    const struct manifest_node *placed = first_apply_place(question->manifest->root, namespace, arena);
    attempt->applied = placed ? marks_add(question->applier, placed, live->object, arena) : NULL;
    attempt->manifest = read_manifest(attempt, arena, error);
    attempt->is_forced = attempt->manager.operation == MANAGER_UPDATE;
    attempt->previous = attempt->is_forced ? attempt->manifest : NULL;
    /* Helm compares two manifests of such an object, and ignores what others changed in it. */
    bool is_compared =
        attempt->is_forced && (found.is_custom || helm_lacks_type(question->manifest->api_version));
    return attempt->manifest && !is_compared;
}

static void collect(
    const struct live *live, const struct outcome *outcome, struct arena *arena, struct upgrade *upgrade)
{
    struct slice_list *lists = arena_allocate_array(arena, live->count + 1, sizeof(*lists));
    size_t total = 0;
    for (size_t i = 0; lists && i < live->count; i++) {
        lists[i] = paths_of_leaves(outcome->conflicts[i], arena);
        total += lists[i].count;
    }
    struct upgrade_loss *losses = arena_allocate_array(arena, total + 1, sizeof(*losses));
    *upgrade = (struct upgrade){losses, 0};
    for (size_t i = 0; lists && losses && i < live->count; i++)
        for (size_t j = 0; j < lists[i].count; j++)
            losses[upgrade->count++] = (struct upgrade_loss){lists[i].items[j], live->entries[i].manager};
}

int upgrade_find(
    const struct apply_question *question, struct arena *arena, struct upgrade *upgrade, struct error *error)
{
    struct live live = {0};
    struct attempt attempt;
    struct outcome outcome = {0};
    struct error problem; /* why it cannot be decided */
    *upgrade = (struct upgrade){0};
    int status = prepare(question, arena, &live, &attempt, &problem) ? 0 : 1;
    if (!status)
        status = (attempt.is_forced ? outcome_of_client_side : outcome_of_server_side)(
            &attempt, arena, &outcome, &problem);
    if (!status && outcome.has_conflicts)
        collect(&live, &outcome, arena, upgrade);
    if (arena_has_failed(arena))
        return error_set_out_of_memory(error);
    return status ? 1 : 0;
}

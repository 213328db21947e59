#include "commands/preview/parts.h"

#include "apply/kubectl.h"
#include "apply/merge/paths.h"
#include "apply/merge/server_side.h"
#include "apply/merge/typed.h"
#include "manifest/kinds.h"

void parts_changes(
    const struct attempt *attempt, const struct outcome *outcome, struct arena *arena,
    struct preview *preview)
{
    if (!attempt->live) {
        const struct field_set *fields = typed_fields(attempt->type, outcome->after, arena);
        preview->set = paths_of_leaves(field_set_difference(fields, untracked_fields(), arena), arena);
        return;
    }
    const struct comparison change = outcome->change;
    const struct field_set *changed = field_set_union(
        field_set_leaves(change.modified, arena),
        typed_reordered(attempt->type, outcome->before, outcome->after, arena), arena);
    preview->set = paths_of_leaves(change.added, arena);
    preview->changed = paths_of(changed, arena);
    preview->removed = paths_of_leaves(change.removed, arena);
}

/*
 * The paths of a set for each entry
 */

struct listed {
    struct slice_list *of_entry;
    size_t total;
};

static struct listed list_all(
    const struct live *live, const struct field_set *const *sets, struct arena *arena)
{
    size_t count = live ? live->count : 0;
    struct listed listed = {.of_entry = arena_allocate_array(arena, count + 1, sizeof(*listed.of_entry))};
    for (size_t i = 0; listed.of_entry && i < count; i++) {
        listed.of_entry[i] = paths_of(sets[i], arena);
        listed.total += listed.of_entry[i].count;
    }
    return listed;
}

void parts_conflicts(
    const struct attempt *attempt, const struct outcome *outcome, struct arena *arena,
    struct preview *preview)
{
    struct listed listed = list_all(attempt->live, outcome->conflicts, arena);
    struct preview_conflict *conflicts = arena_allocate_array(arena, listed.total + 1, sizeof(*conflicts));
    for (size_t i = 0; conflicts && listed.total && i < attempt->live->count; i++) {
        const struct owner_entry *entry = &attempt->live->entries[i];
        for (size_t j = 0; j < listed.of_entry[i].count; j++)
            conflicts[preview->conflict_count++] = (struct preview_conflict){
                .path = listed.of_entry[i].items[j],
                .manager = entry->manager,
                .api_version = entry->api_version,
            };
    }
    preview->conflicts = conflicts;
}

/*
 * Kept fields
 */

static void add_manager(struct preview_kept *kept, struct slice manager)
{
    struct slice *items = (struct slice *)(uintptr_t)kept->managers.items;
    for (size_t i = 0; i < kept->managers.count; i++)
        if (slice_equal(items[i], manager))
            return;
    items[kept->managers.count++] = manager;
}

/* Both lists have the order of field sets, and each path of `held` is also in `kept`. */
static void add_holder(struct preview_kept *kept, size_t count, struct slice_list held, struct slice manager)
{
    for (size_t i = 0, next = 0; i < count && next < held.count; i++) {
        if (!slice_equal(kept[i].path, held.items[next]))
            continue;
        add_manager(&kept[i], manager);
        next++;
    }
}

void parts_kept(
    const struct attempt *attempt, const struct outcome *outcome, struct arena *arena,
    struct preview *preview)
{
    struct slice_list paths = paths_of(outcome->kept, arena);
    size_t owners = attempt->live ? attempt->live->count : 0;
    struct preview_kept *kept = arena_allocate_array(arena, paths.count + 1, sizeof(*kept));
    for (size_t i = 0; kept && i < paths.count; i++) {
        kept[i].path = paths.items[i];
        kept[i].managers.items = arena_allocate_array(arena, owners + 1, sizeof(struct slice));
    }
    if (!kept || arena_has_failed(arena))
        return;
    for (size_t i = 0; paths.count && i < owners; i++) {
        const struct owner_entry *entry = &attempt->live->entries[i];
        if (i == outcome->applier)
            continue;
        const struct field_set *held = field_set_intersection(outcome->kept, entry->fields, arena);
        add_holder(kept, paths.count, paths_of(held, arena), entry->manager.name);
    }
    preview->kept = kept;
    preview->kept_count = paths.count;
}

/*
 * Fields that are set back
 */

/* An unknown name has the class of controllers, too: that alone does not prove that it will write again. */
static enum preview_reverter reverter_of(const struct apply_question *question, const struct manager *manager)
{
    const struct policy *policy = question->policy;
    const struct manager_facts facts = {
        .role = ROLE_OWNER, .group = group_of(question->manifest->api_version)};
    enum manager_class class = manager_classify(manager, &facts, &policy->managers);
    if (class == CLASS_APPLIER)
        return REVERTER_APPLIER;
    if (class != CLASS_CONTROLLER)
        return REVERTER_NONE;
    if (slice_equal(manager->subresource, SLICE("scale")))
        return REVERTER_AUTOSCALER;
    return manager_has_rule(manager, &policy->managers) ? REVERTER_CONTROLLER : REVERTER_NONE;
}

/* kubectl moves to server-side apply, and takes over the fields that it applied client-side itself. */
static bool is_moved(
    const struct apply_question *question, const struct attempt *attempt, size_t index, struct arena *arena)
{
    struct slice manager = attempt->live->entries[index].manager.name;
    return question->applier == APPLY_KUBECTL_SERVER &&
        slice_equal(manager, SLICE("kubectl-client-side-apply")) && kubectl_takes_over(attempt, index, arena);
}

void parts_reverted(
    const struct attempt *attempt, const struct outcome *outcome, const struct apply_question *question,
    struct arena *arena, struct preview *preview)
{
    size_t count = attempt->live ? attempt->live->count : 0, total = 0;
    struct slice_list *lost = arena_allocate_array(arena, count + 1, sizeof(*lost));
    for (size_t i = 0; lost && i < count; i++) {
        const struct owner_entry *entry = &attempt->live->entries[i];
        if (i == outcome->applier || manager_is_same_tool(entry->manager.name, attempt->manager.name) ||
            reverter_of(question, &entry->manager) == REVERTER_NONE || is_moved(question, attempt, i, arena))
            continue;
        lost[i] = paths_of_leaves(field_set_difference(entry->fields, outcome->remaining[i], arena), arena);
        total += lost[i].count;
    }
    struct preview_reverted *reverted = arena_allocate_array(arena, total + 1, sizeof(*reverted));
    for (size_t i = 0; lost && reverted && i < count; i++) {
        const struct manager *manager = &attempt->live->entries[i].manager;
        for (size_t j = 0; j < lost[i].count; j++)
            reverted[preview->reverted_count++] =
                (struct preview_reverted){lost[i].items[j], manager->name, reverter_of(question, manager)};
    }
    preview->reverted = reverted;
}

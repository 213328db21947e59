#include "commands/migrate/declare.h"

#include "apply/declared.h"
#include "apply/merge/paths.h"
#include "apply/merge/typed.h"
#include "manifest/json_value.h"

/* The limit of listed fields of a kind. */
#define LISTED_MAX 10

static bool is_imperative(const struct manifest_node *entry)
{
    struct slice manager = manifest_text(manifest_member(entry, SLICE("manager")));
    return slice_starts_with(manager, SLICE("kubectl-")) && !slice_equal(manager, SLICE("kubectl-rollout")) &&
        slice_equal(manifest_text(manifest_member(entry, SLICE("operation"))), SLICE("Update")) &&
        !manifest_member(entry, SLICE("subresource"));
}

struct slice_list declare_managers(const struct manifest_object *live, struct arena *arena)
{
    const struct manifest_node *metadata = manifest_member(live->root, SLICE("metadata"));
    const struct manifest_node *entries = manifest_member(metadata, SLICE("managedFields"));
    const size_t capacity = entries && entries->kind == MANIFEST_LIST ? entries->count : 0;
    struct slice *items = arena_allocate_array(arena, capacity + 1, sizeof(*items));
    size_t count = 0;
    for (size_t i = 0; items && i < capacity; i++)
        if (is_imperative(entries->items[i]))
            items[count++] = manifest_text(manifest_member(entries->items[i], SLICE("manager")));
    return (struct slice_list){items, count};
}

/* The fields of the new manager's entry, or those of all others that stay. */
static const struct field_set *fields_after(
    const struct migration *migration, bool is_new_manager, struct arena *arena)
{
    const struct field_set *fields = &field_set_empty;
    const struct plan *plan = &migration->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_entry *entry = &plan->entries[i];
        bool is_target =
            entry->manager.operation == MANAGER_APPLY && slice_equal(entry->manager.name, plan->request->to);
        if (!entry->is_gone && is_target == is_new_manager)
            fields = field_set_union(fields, entry->fields, arena);
    }
    return fields;
}

static void append_list(struct text *text, const char *words, const struct field_set *fields)
{
    const struct slice_list paths = paths_of_leaves(fields, text->arena);
    for (size_t i = 0; i < paths.count && i < LISTED_MAX; i++)
        text_append_all(text, "  ", words, " ", paths.items[i], "\n");
    if (paths.count <= LISTED_MAX)
        return;
    text_append_all(text, "  ", words, " ", paths.count - LISTED_MAX, " more\n");
}

void declare_append_changes(
    struct text *text, const struct manifest_object *manifest, const struct manifest_object *live,
    const struct migration *migration)
{
    struct arena *arena = text->arena;
    const struct declared wanted =
        declared_read(manifest->api_version, manifest->kind, manifest->root, arena);
    const struct declared there = declared_read(live->api_version, live->kind, live->root, arena);
    struct text lines = text_start(arena, 512);
    if (!wanted.value || !there.value)
        return;
    const struct field_set *declared = declared_fields(&wanted, arena);
    const struct comparison change = typed_compare(wanted.type, there.value, wanted.value, arena);
    const struct field_set *removed =
        field_set_difference(fields_after(migration, true, arena), declared, arena);
    removed = field_set_difference(removed, fields_after(migration, false, arena), arena);
    append_list(&lines, "sets", field_set_intersection(change.added, declared, arena));
    append_list(&lines, "changes", field_set_intersection(change.modified, declared, arena));
    append_list(&lines, "removes, or sets to its default,", removed);
    text_append_all(text, lines.length ? "\n" : " changes nothing\n", text_slice(&lines));
}

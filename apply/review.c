#include "apply/review.h"

#include "manifest/kinds.h"
#include "policy/review/review_from_objects.h"

/* An entry after the apply. The applier's gets the time of the request, unless nothing has changed. */
static struct owner_entry entry_after(const struct reviewed *reviewed, size_t index, struct arena *arena)
{
    const struct attempt *attempt = reviewed->attempt;
    const struct outcome *outcome = reviewed->outcome;
    bool is_new = !attempt->live || index == attempt->live->count;
    struct owner_entry entry = {.fields = &field_set_empty};
    if (!is_new)
        entry = attempt->live->entries[index];
    const struct field_set *before = entry.fields;
    entry.fields = outcome->remaining[index];
    if (index != outcome->applier)
        return entry;
    entry.manager = attempt->manager;
    entry.api_version = reviewed->manifest->api_version;
    if (is_new || !value_equal(outcome->before, outcome->after) ||
        !field_set_equal(entry.fields, before, arena))
        entry.time = owners_time(reviewed->now, arena);
    return entry;
}

/* The object afterwards. Returns NULL if memory runs out. */
static yyjson_val *object_after(const struct reviewed *reviewed, struct arena *arena)
{
    const struct live *live = reviewed->attempt->live;
    const struct outcome *outcome = reviewed->outcome;
    size_t count = (live ? live->count : 0), kept = 0;
    struct owner_entry *entries = arena_allocate_array(arena, count + 1, sizeof(*entries));
    if (!entries)
        return NULL;
    for (size_t i = 0; i < count + (outcome->applier == count); i++) {
        entries[kept] = entry_after(reviewed, i, arena);
        kept += !field_set_is_empty(entries[kept].fields);
    }
    return owners_build_value(outcome->after, entries, kept, arena);
}

const struct review *review_of_apply(
    const struct reviewed *reviewed, struct arena *arena, struct error *error)
{
    const struct manifest_object *manifest = reviewed->manifest;
    const struct attempt *attempt = reviewed->attempt;
    const struct review_head head = {
        .uid = "preview",
        .operation = attempt->live ? OPERATION_UPDATE : OPERATION_CREATE,
        .group = group_of(manifest->api_version),
        .version = version_of(manifest->api_version),
        .kind = manifest->kind,
        .namespace = reviewed->namespace,
        .name = manifest->name,
        .username = reviewed->user,
        .groups = reviewed->groups,
        .field_manager = attempt->manager.name,
    };
    yyjson_val *object = object_after(reviewed, arena);
    if (object)
        return review_from_objects(&head, attempt->live ? attempt->live->json : NULL, object, arena, error);
    error_set_out_of_memory(error);
    return NULL;
}

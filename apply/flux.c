#include "apply/flux.h"

#include "base/array_size.h"
#include "policy/analysis/absorption.h"
#include "policy/review/ownership.h"

/* Flux only creates such an object, or ignores it. */
static bool is_left_alone(const struct value *object)
{
    static const struct slice maps[] = {SLICE_LITERAL("labels"), SLICE_LITERAL("annotations")};
    const struct value *metadata = value_member(object, SLICE("metadata"));
    for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
        const struct value *map = value_member(metadata, maps[i]);
        for (size_t j = 0; map && map->kind == VALUE_MAP && j < map->count; j++)
            if (absorber_is_option(TOOL_FLUX, map->members[j].name, value_text(map->members[j].value)))
                return true;
    }
    return false;
}

static bool is_own(const struct owner_entry *entry, struct slice manager, enum manager_operation operation)
{
    return entry->manager.operation == operation && !entry->manager.subresource.length &&
        slice_equal(entry->manager.name, manager);
}

static bool is_taken(const struct owner_entry *entry, struct slice manager)
{
    const struct managed_fields_entry flux = {.manager = {.name = SLICE("kustomize-controller")}};
    return absorber_takes(&flux, &entry->manager) || is_own(entry, manager, MANAGER_UPDATE);
}

/*
 * Returns the index of the Apply entry, or else of the first entry that becomes it; the number of entries if
 * neither exists.
 */
static size_t find_target(const struct live *live, struct slice manager)
{
    size_t first = live->count;
    for (size_t i = live->count; i-- > 0;) {
        if (is_own(&live->entries[i], manager, MANAGER_APPLY))
            return i;
        if (is_taken(&live->entries[i], manager))
            first = i;
    }
    return first;
}

bool flux_take_over(
    struct live *live, const struct value *manifest, struct slice manager, struct arena *arena)
{
    size_t target = find_target(live, manager), count = 0;
    if (target == live->count || is_left_alone(live->object) || is_left_alone(manifest))
        return true;
    struct owner_entry own = live->entries[target];
    own.manager = (struct manager){.name = manager, .operation = MANAGER_APPLY};
    for (size_t i = 0; i < live->count; i++) {
        const struct owner_entry *entry = &live->entries[i];
        if (i == target)
            target = count++;
        else if (is_taken(entry, manager))
            own.fields = field_set_union(own.fields, entry->fields, arena);
        else
            live->entries[count++] = *entry;
    }
    live->entries[target] = own;
    live->count = count;
    live->json = owners_build_value(live->object, live->entries, live->count, arena);
    return live->json && !arena_has_failed(arena);
}

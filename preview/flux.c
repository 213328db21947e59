#include "preview/flux.h"

#include "base/count.h"
#include "policy/analysis/absorption.h"
#include "policy/review/ownership.h"

#include <strings.h>

static bool has_option(const struct value *object, struct slice key, const char *wanted)
{
    static const struct slice maps[] = {SLICE_LITERAL("labels"), SLICE_LITERAL("annotations")};
    const struct value *metadata = value_member(object, SLICE("metadata"));
    for (size_t i = 0; i < COUNT(maps); i++) {
        struct slice text = value_text(value_member(value_member(metadata, maps[i]), key));
        if (text.length == strlen(wanted) && strncasecmp(text.bytes, wanted, text.length) == 0)
            return true;
    }
    return false;
}

/* Flux adds to such an object at most, or does not touch it. */
static bool is_left_alone(const struct value *object)
{
    static const char *const ways[] = {"merge", "ignore", "ifnotpresent"};
    for (size_t i = 0; i < COUNT(ways); i++)
        if (has_option(object, SLICE("kustomize.toolkit.fluxcd.io/ssa"), ways[i]))
            return true;
    return has_option(object, SLICE("kustomize.toolkit.fluxcd.io/reconcile"), "disabled");
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

/* The Apply entry, or else the first that becomes it; the count of all if there is none. */
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

/* The object as the API server has it after that. */
static struct slice write(const struct live *live, struct arena *arena)
{
    struct text list = text_start(arena, 4096), text = text_start(arena, 16384);
    for (size_t i = 0; i < live->count; i++) {
        text_append_string(&list, i ? "," : "[");
        owners_append_entry(&list, &live->entries[i]);
    }
    text_append_string(&list, "]");
    const struct value *entries = value_read_json(text_slice(&list), arena);
    const struct value *metadata = value_member(live->object, SLICE("metadata"));
    metadata = entries ? value_with(metadata, SLICE("managedFields"), entries, arena) : NULL;
    const struct value *object =
        metadata ? value_with(live->object, SLICE("metadata"), metadata, arena) : NULL;
    if (object)
        value_append_json(&text, object);
    return text_slice(&text);
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
    live->json = write(live, arena);
    return live->json.bytes && !arena_has_failed(arena);
}

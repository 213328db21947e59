#include "preview/custom_types.h"

#include "check/kinds.h"

static bool add(
    struct custom_types *types, const struct manifest_node *spec, const struct manifest_node *version,
    const struct manifest_node *schema, struct arena *arena)
{
    struct custom_type *type = arena_allocate_array(arena, 1, sizeof(*type));
    const struct manifest_node *names = manifest_member(spec, SLICE("names"));
    if (!type)
        return false;
    *type = (struct custom_type){
        .next = types->first,
        .group = arena_copy(arena, manifest_text(manifest_member(spec, SLICE("group")))),
        .version = arena_copy(arena, manifest_text(manifest_member(version, SLICE("name")))),
        .kind = arena_copy(arena, manifest_text(manifest_member(names, SLICE("kind")))),
        .schema = manifest_json(schema, arena),
    };
    types->first = type;
    return !arena_has_failed(arena);
}

int custom_types_add(struct custom_types *types, const struct manifest_object *object, struct arena *arena)
{
    const struct manifest_node *spec = manifest_member(object->root, SLICE("spec"));
    const struct manifest_node *versions = manifest_member(spec, SLICE("versions"));
    int added = 0;
    if (!slice_equal(object->kind, SLICE("CustomResourceDefinition")) || !versions ||
        versions->kind != MANIFEST_LIST)
        return 0;
    for (size_t i = 0; i < versions->count; i++) {
        const struct manifest_node *schema = manifest_member(versions->items[i], SLICE("schema"));
        schema = manifest_member(schema, SLICE("openAPIV3Schema"));
        if (!schema)
            continue;
        if (!add(types, spec, versions->items[i], schema, arena))
            return -1;
        added++;
    }
    return added;
}

struct slice custom_types_find(const struct custom_types *types, struct slice api_version, struct slice kind)
{
    for (const struct custom_type *type = types->first; type; type = type->next)
        if (slice_equal(type->group, group_of(api_version)) &&
            slice_equal(type->version, version_of(api_version)) && slice_equal(type->kind, kind))
            return type->schema;
    return (struct slice){NULL, 0};
}

#include "apply/custom_types.h"

#include "manifest/kinds.h"

/* Returns false if memory runs out. */
static bool add(struct custom_types *types, const struct custom_type *added, struct arena *arena)
{
    struct custom_type *type = arena_allocate_array(arena, 1, sizeof(*type));
    if (!type)
        return false;
    *type = (struct custom_type){
        .next = types->first,
        .group = arena_copy(arena, added->group),
        .version = arena_copy(arena, added->version),
        .kind = arena_copy(arena, added->kind),
        .schema = added->schema,
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
        const struct custom_type type = {
            .group = manifest_text(manifest_member(spec, SLICE("group"))),
            .version = manifest_text(manifest_member(versions->items[i], SLICE("name"))),
            .kind = manifest_text(manifest_member(manifest_member(spec, SLICE("names")), SLICE("kind"))),
            .schema = manifest_json(schema, arena),
        };
        if (!add(types, &type, arena))
            return -1;
        added++;
    }
    return added;
}

void custom_types_add_unknown(
    struct custom_types *types, struct slice api_version, struct slice kind, struct arena *arena)
{
    const struct custom_type type = {
        .group = group_of(api_version), .version = version_of(api_version), .kind = kind};
    add(types, &type, arena);
}

const struct custom_type *custom_types_find(
    const struct custom_types *types, struct slice api_version, struct slice kind)
{
    for (const struct custom_type *type = types->first; type; type = type->next)
        if (slice_equal(type->group, group_of(api_version)) &&
            slice_equal(type->version, version_of(api_version)) && slice_equal(type->kind, kind))
            return type;
    return NULL;
}

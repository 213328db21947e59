#include "apply/declared.h"

#include "apply/merge/paths.h"
#include "apply/merge/server_side.h"
#include "apply/merge/typed.h"
#include "base/json.h"
#include "manifest/json_value.h"
#include "policy/fieldset/fields_element.h"

struct declared declared_read(
    struct slice api_version, struct slice kind, const struct manifest_node *object, struct arena *arena)
{
    struct declared declared = {.value = value_read(manifest_json_value(object, arena), arena, NULL)};
    declared.is_known = schema_find_builtin(api_version, kind, &declared.type);
    if (!declared.value)
        declared.value = &value_empty_map;
    return declared;
}

/* If the type is unknown, its structs count as maps, which are fields themselves. */
const struct field_set *declared_fields(const struct declared *declared, struct arena *arena)
{
    const struct field_set *all = typed_fields(declared->type, declared->value, arena);
    const struct field_set *tracked = field_set_difference(all, untracked_fields(), arena);
    return declared->is_known ? tracked : field_set_leaves(tracked, arena);
}

/* All declarations of a list contain an item and its keys. `keys` is NULL outside of an item. */
static const struct field_set *without_keys(
    const struct field_set *set, yyjson_val *keys, struct arena *arena)
{
    struct field_node *nodes = arena_allocate_array(arena, set->count + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < set->count; i++) {
        struct field_node node = set->nodes[i];
        struct path element = {.depth = 1};
        bool is_known;
        if (!fields_decode_element(node.element, arena, &element, &is_known))
            continue;
        bool is_item = element.kind == PATH_KEY;
        if (element.kind == PATH_FIELD && json_member(keys, element.text))
            continue;
        node.is_member &= !is_item;
        node.below = without_keys(node.below, is_item ? element.json : NULL, arena);
        nodes[count++] = node;
    }
    return field_set_of(nodes, count, arena);
}

struct slice_list declared_leaves(const struct declared *declared, struct arena *arena)
{
    return paths_of_leaves(without_keys(declared_fields(declared, arena), NULL, arena), arena);
}

#include "apply/type.h"

#include "apply/merge/element.h"
#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fields_element.h"

static void append_shape(struct text *text, const struct field_set *set);

/* The fields inside the items of a list, for all items together. */
static const struct field_set *below_all(const struct field_set *set, struct arena *arena)
{
    const struct field_set **sets = arena_allocate_array(arena, set->count, sizeof(*sets));
    for (size_t i = 0; sets && i < set->count; i++)
        sets[i] = set->nodes[i].below;
    return sets ? field_set_union_all(sets, set->count, arena) : &field_set_empty;
}

/* The members of an item's key as fields; empty for other elements. */
static const struct field_set *names_in_key(struct slice element, struct arena *arena)
{
    struct path key = {.depth = 1};
    size_t count = 0;
    bool is_known;
    if (!fields_decode_element(element, arena, &key, &is_known) || key.kind != PATH_KEY)
        return &field_set_empty;
    struct field_node *nodes = arena_allocate_array(arena, yyjson_obj_size(key.json) + 1, sizeof(*nodes));
    if (!nodes)
        return &field_set_empty;
    json_each_key(name, key.json)
        nodes[count++] =
            (struct field_node){element_of_member(json_text(name), arena), &field_set_empty, true};
    return field_set_of(nodes, count, arena);
}

/* An item may omit a key: the list has the keys of all its items together. */
static void append_key_names(struct text *text, const struct field_set *set)
{
    const struct field_set **keys = arena_allocate_array(text->arena, set->count, sizeof(*keys));
    for (size_t i = 0; keys && i < set->count; i++)
        keys[i] = names_in_key(set->nodes[i].element, text->arena);
    const struct field_set *names = keys ? field_set_union_all(keys, set->count, text->arena) : NULL;
    text_append_string(text, "[");
    for (size_t i = 0; names && i < names->count; i++)
        text_append_all(text, i ? "," : "", as_json(slice_from(names->nodes[i].element, 2)));
    text_append_string(text, "]");
}

static void append_list(struct text *text, const struct field_set *set, const struct path *first)
{
    text_append_string(text, "\"type\":\"array\",\"x-kubernetes-list-type\":");
    if (first->kind == PATH_VALUE) {
        text_append_string(text, "\"set\",\"items\":{\"type\":\"string\"}");
        return;
    }
    text_append_string(text, "\"map\",\"x-kubernetes-list-map-keys\":");
    append_key_names(text, set);
    text_append_string(text, ",\"items\":{");
    append_shape(text, below_all(set, text->arena));
    text_append_string(text, "}");
}

static void append_map(struct text *text, const struct field_set *set)
{
    const char *separator = "";
    text_append_string(
        text, "\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true,\"properties\":{");
    for (size_t i = 0; i < set->count; i++) {
        struct path element = {.depth = 1};
        bool is_known;
        if (!set->nodes[i].below->count ||
            !fields_decode_element(set->nodes[i].element, text->arena, &element, &is_known) ||
            element.kind != PATH_FIELD)
            continue;
        text_append_all(text, separator, as_json(element.text), ":{");
        append_shape(text, set->nodes[i].below);
        text_append_string(text, "}");
        separator = ",";
    }
    text_append_string(text, "}");
}

/* An OpenAPI schema that fits these fields: a list has items with keys, or is a set, or is one value. */
static void append_shape(struct text *text, const struct field_set *set)
{
    struct path first = {.depth = 1};
    bool is_known;
    bool is_list = set->count &&
        fields_decode_element(set->nodes[0].element, text->arena, &first, &is_known) &&
        (first.kind == PATH_KEY || first.kind == PATH_VALUE);
    if (is_list)
        append_list(text, set, &first);
    else
        append_map(text, set);
}

static struct slice schema_of_owners(const struct live *live, struct arena *arena)
{
    const struct field_set *all = &field_set_empty;
    struct text text = text_start(arena, 1024);
    for (size_t i = 0; live && i < live->count; i++)
        all = field_set_union(all, live->entries[i].fields, arena);
    text_append_string(&text, "{");
    append_shape(&text, all);
    text_append_string(&text, "}");
    return text_slice(&text);
}

int type_find(
    const struct apply_question *question, const struct live *live, struct arena *arena,
    struct found_type *found, struct error *error)
{
    const struct manifest_object *manifest = question->manifest;
    *found = (struct found_type){.is_known = true};
    if (schema_find_builtin(manifest->api_version, manifest->kind, &found->type))
        return 0;
    found->is_custom = true;
    found->is_known = question->schema.length > 0;
    struct slice schema = found->is_known ? question->schema : schema_of_owners(live, arena);
    yyjson_val *document = json_parse(schema, arena);
    if (!document)
        return error_set_out_of_memory(error);
    found->openapi = found->is_known ? document : NULL;
    return schema_read_openapi(document, arena, &found->type, error);
}

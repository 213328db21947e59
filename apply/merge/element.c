#include "apply/merge/element.h"

#include "base/text.h"
#include "policy/fieldset/fields_element.h"

struct slice element_of_member(struct slice name, struct arena *arena)
{
    char *element = arena_allocate(arena, name.length + 2);
    if (!element)
        return (struct slice){NULL, 0};
    element[0] = 'f';
    element[1] = ':';
    if (name.length)
        memcpy(element + 2, name.bytes, name.length);
    return (struct slice){element, name.length + 2};
}

static struct slice element_of_position(size_t position, struct arena *arena)
{
    return text_join(arena, "i:", position);
}

static const char *element_by_value(const struct value *item, struct arena *arena, struct slice *element)
{
    if (item->kind != VALUE_SCALAR)
        return "an item of a set is not a scalar";
    struct text text = text_start(arena, 32);
    text_append(&text, SLICE("v:"));
    value_append_json(&text, item);
    *element = text_slice(&text);
    return NULL;
}

/* A key is a scalar, so a default that is a map or list does not count. */
static struct slice preset_of(struct schema_ref item, struct slice name)
{
    const struct schema_field *field = schema_field_of(item, name);
    struct slice preset = field ? schema_name_of(item.schema, field->preset) : SLICE("");
    bool is_container = preset.length && (preset.bytes[0] == '{' || preset.bytes[0] == '[');
    return is_container ? SLICE("") : preset;
}

/* Appends the value of a key field, or its default. Returns false if it has neither. */
static bool append_key(
    struct text *text, struct schema_ref item, struct slice name, const struct value *value)
{
    struct slice preset = value ? SLICE("") : preset_of(item, name);
    if (!value && !preset.length)
        return false;
    text_append_all(text, text->length == 2 ? "{" : ",", as_json(name), SLICE(":"));
    if (value)
        value_append_json(text, value);
    else
        text_append(text, preset);
    return true;
}

const char *element_of_item(
    struct schema_ref list, const struct value *items, size_t position, struct arena *arena,
    struct slice *element)
{
    const struct schema_type *type = schema_type_of(list);
    const struct value *item = items->items[position];
    bool has_key = false;
    if (type->is_atomic & SCHEMA_LIST) {
        *element = element_of_position(position, arena);
        return NULL;
    }
    if (type->key_count == 0)
        return element_by_value(item, arena, element);
    if (item->kind != VALUE_MAP)
        return "an item of a list with keys is not a map";
    struct text text = text_start(arena, 64);
    struct arena_mark started = arena_mark(arena);
    text_append(&text, SLICE("k:"));
    for (size_t i = 0; i < type->key_count; i++) {
        struct slice name = schema_name_of(list.schema, list.schema->keys[type->first_key + i]);
        has_key |= append_key(&text, schema_item(list), name, value_member(item, name));
    }
    if (!has_key)
        return "an item of a list has none of the list's key fields";
    text_append(&text, SLICE("}"));
    *element = text_slice(&text);
    if (element->bytes && arena_is_at(arena, started))
        arena_shorten(arena, element->bytes + element->length);
    return NULL;
}

bool element_normalize(struct slice key, struct arena *arena, struct slice *element, bool *is_known)
{
    struct path path = {0};
    if (!fields_decode_element(key, arena, &path, is_known))
        return false;
    *element = key;
    if (path.kind == PATH_FIELD || path.kind == PATH_INDEX)
        return true;
    const struct value *value = value_read(path.json, arena, NULL);
    struct text text = text_start(arena, key.length);
    text_append(&text, slice_until(key, 2));
    if (value)
        value_append_json(&text, value);
    *element = text_slice(&text);
    return true;
}

#include "policy/fieldset/fields_element.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/plain_json.h"

static bool parse_json_element(struct slice text, struct arena *arena, struct path *element)
{
    struct plain_json plain;
    if (plain_json_read(text, &plain)) {
        size_t bytes = plain.count * sizeof(yyjson_val);
        element->json = arena_allocate(arena, bytes);
        if (element->json)
            memcpy(element->json, plain.values, bytes);
        return element->json;
    }
    element->json = json_parse(text, arena);
    return element->json;
}

/* As an API server spells a position: there is one spelling only, by which positions are compared. */
static bool is_index(struct slice text)
{
    struct slice digits = text.length && text.bytes[0] == '-' ? slice_from(text, 1) : text;
    bool is_zero = slice_equal(text, SLICE("0"));
    if (!digits.length || (digits.bytes[0] == '0' && !is_zero))
        return false;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.bytes[i] < '0' || digits.bytes[i] > '9')
            return false;
    }
    return true;
}

bool fields_decode_element(struct slice key, struct arena *arena, struct path *element, bool *known)
{
    *known = true;
    element->json = NULL;
    element->key_names = NULL;
    if (key.length < 2 || key.bytes[1] != ':')
        return false;
    element->text = slice_from(key, 2);
    switch (key.bytes[0]) {
    case 'f':
        element->kind = PATH_FIELD;
        return true;
    case 'k':
        element->kind = PATH_KEY;
        return parse_json_element(element->text, arena, element) && yyjson_is_obj(element->json);
    case 'v':
        element->kind = PATH_VALUE;
        return parse_json_element(element->text, arena, element);
    case 'i':
        element->kind = PATH_INDEX;
        return is_index(element->text);
    default:
        *known = false;
        return false;
    }
}

const char *fields_result_text(enum fields_result result)
{
    switch (result) {
    case FIELDS_MALFORMED:
        return "has a key that is not a path element";
    case FIELDS_TOO_DEEP:
        return "is nested too deeply";
    case FIELDS_TOO_MANY:
        return "is one of too many to be compared";
    case FIELDS_OUT_OF_MEMORY:
        return "did not fit into memory";
    default:
        return "was read";
    }
}

bool fields_unread(enum fields_result result)
{
    return result != FIELDS_OK && result != FIELDS_STOPPED && result != FIELDS_OUT_OF_MEMORY;
}

bool fields_is_membership(struct slice key)
{
    return key.length == 1 && key.bytes[0] == '.';
}

static bool is_of_unknown_kind(struct slice key)
{
    if (key.length < 2 || key.bytes[1] != ':')
        return false;
    char kind = key.bytes[0];
    return kind != 'f' && kind != 'k' && kind != 'v' && kind != 'i';
}

bool fields_is_leaf(yyjson_val *node)
{
    json_each_key(key, node) {
        struct slice text = json_text(key);
        if (!fields_is_membership(text) && !is_of_unknown_kind(text))
            return false;
    }
    return true;
}

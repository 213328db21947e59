#include "policy/fieldset/path_components.h"

#include "base/json.h"
#include "policy/fieldset/path.h"

/* Key fields of one item that are looked at: no list type has more. */
#define KEYS_MAX 8

/* Where what is printed of one field is being followed into the object. */
struct component_reader {
    struct slice rest;
    yyjson_val *value;
    struct lookup *lookup;
    struct arena *arena;
};

static bool ends_name(struct slice rest, size_t at)
{
    return at == rest.length || rest.bytes[at] == '.' || rest.bytes[at] == '[';
}

/* After the dot: the only member whose name the rest begins with, and that may have the rest below it. */
static bool step_to_member(struct component_reader *reader, struct path_component *step)
{
    yyjson_val *found = NULL;
    size_t longest = reader->rest.length < PATH_NAME_BYTES_MAX ? reader->rest.length : PATH_NAME_BYTES_MAX;
    for (size_t length = 1; length <= longest; length++) {
        if (!ends_name(reader->rest, length))
            continue;
        struct slice name = {reader->rest.bytes, length};
        yyjson_val *member = lookup_member(reader->lookup, reader->value, name);
        if (!member || (length < reader->rest.length && !yyjson_is_ctn(member)))
            continue;
        if (found)
            return false;
        found = member;
        step->name = name;
    }
    reader->rest = slice_from(reader->rest, step->name.length);
    reader->value = found;
    return found != NULL;
}

/* The length of a part in brackets, with both brackets; 0: they do not close. */
static size_t brackets_length(struct slice rest)
{
    bool quoted = false;
    for (size_t i = 1; i < rest.length; i++) {
        if (quoted && rest.bytes[i] == '\\')
            i++;
        else if (rest.bytes[i] == '"')
            quoted = !quoted;
        else if (rest.bytes[i] == ']' && !quoted)
            return i + 1;
    }
    return 0;
}

/* The names in [name="nginx",port=80]; none in [="x"] and [3]. False if there are too many. */
static bool read_key_names(struct slice brackets, struct slice names[KEYS_MAX], size_t *count)
{
    bool quoted = false;
    size_t start = 1;
    *count = 0;
    for (size_t i = 1; i < brackets.length; i++) {
        char byte = brackets.bytes[i];
        if (quoted && byte == '\\')
            i++;
        else if (byte == '"')
            quoted = !quoted;
        else if (!quoted && byte == ',')
            start = i + 1;
        else if (!quoted && byte == '=' && i > start) {
            if (*count == KEYS_MAX)
                return false;
            names[(*count)++] = (struct slice){brackets.bytes + start, i - start};
        }
    }
    return true;
}

/* The item that is printed like this. */
static bool step_to_item(struct component_reader *reader, struct path_component *step)
{
    struct slice brackets = {reader->rest.bytes, brackets_length(reader->rest)};
    struct slice names[KEYS_MAX];
    struct slice_list key_names = {.items = names};
    if (!brackets.length || !read_key_names(brackets, names, &key_names.count))
        return false;
    struct path element = {.kind = key_names.count ? PATH_KEY : PATH_VALUE, .key_names = &key_names};
    struct text printed = text_start(reader->arena, brackets.length);
    yyjson_arr_iter items;
    yyjson_arr_iter_init(reader->value, &items);
    for (step->position = 0; (element.json = yyjson_arr_iter_next(&items)); step->position++) {
        if (!effort_spend(lookup_effort(reader->lookup), EFFORT_TOOL_ANNOTATIONS, 1))
            return false;
        printed.length = 0;
        path_append_element(&printed, &element);
        if (!printed.failed && slice_equal(text_slice(&printed), brackets)) {
            step->is_item = true;
            reader->rest = slice_from(reader->rest, brackets.length);
            reader->value = element.json;
            return true;
        }
    }
    return false;
}

bool path_components_read(
    struct slice printed, yyjson_val *object, struct lookup *lookup, struct arena *arena,
    struct path_components *field)
{
    struct component_reader reader = {.rest = printed, .value = object, .lookup = lookup, .arena = arena};
    field->count = 0;
    while (reader.rest.length) {
        if (field->count == PATH_COMPONENTS_MAX)
            return false;
        struct path_component *step = &field->steps[field->count++];
        *step = (struct path_component){0};
        bool is_member = reader.rest.bytes[0] == '.';
        reader.rest = slice_from(reader.rest, is_member);
        if (is_member ? !step_to_member(&reader, step) : !step_to_item(&reader, step))
            return false;
    }
    return field->count > 0;
}

#include "owners/jsonpath.h"

#include "base/array_size.h"
#include "policy/fieldset/path.h"
#include "policy/fieldset/path_components.h"

#include <string.h>

/*
 * client-go, util/jsonpath: these characters end a name, or are a wildcard, unless a backslash precedes them.
 */
static void append_name(struct text *text, struct slice name)
{
    text_append_string(text, ".");
    for (size_t i = 0; i < name.length; i++) {
        if (name.bytes[i] && strchr("*.,[]()${}@|\\ \"'", name.bytes[i]))
            text_append_string(text, "\\");
        text_append(text, (struct slice){name.bytes + i, 1});
    }
}

static void append_components(struct text *text, const struct path_components *components)
{
    for (size_t i = 0; i < components->count; i++) {
        const struct path_component *step = &components->steps[i];
        if (!step->is_item) {
            append_name(text, step->name);
            continue;
        }
        text_append_all(text, "[", step->position, "]");
    }
}

/*
 * Maps whose keys may contain dots: the rest of the path is one key. In custom resources, `limits` and
 * `requests` may have fields, but a field's name has no slash, unlike nvidia.com/gpu.
 */
static bool has_free_keys(struct slice name, struct slice rest)
{
    static const char *const names[] = {"annotations", "labels", "matchLabels", "data",        "binaryData",
                                        "stringData",  "hard",   "parameters",  "nodeSelector"};
    static const char *const resources[] = {"limits", "requests", "overhead", "capacity"};
    return slice_is_one_of(name, names, ARRAY_SIZE(names)) ||
        (slice_is_one_of(name, resources, ARRAY_SIZE(resources)) && slice_contains(rest, '/'));
}

/* The first key of [name="web",port=80] as name=="web": kubectl compares only one of several. */
static void append_filter(struct text *text, struct slice keys)
{
    size_t equals = slice_find(keys, '=');
    size_t end = equals + 1;
    bool is_quoted = false;
    while (end < keys.length && (is_quoted || (keys.bytes[end] != ',' && keys.bytes[end] != ']'))) {
        is_quoted ^= keys.bytes[end] == '"';
        end += keys.bytes[end] == '\\' && end + 1 < keys.length ? 2 : 1;
    }
    text_append_all(
        text, "[?(@.", slice_until(keys, equals), "==", slice_from(slice_until(keys, end), equals + 1), ")]");
}

static void append_printed(struct text *text, struct slice path)
{
    bool is_key = false;
    while (path.length) {
        size_t end = is_key && path.bytes[0] == '.' ? path.length : path_element_end(path, 0);
        struct slice element = slice_until(path, end ? end : path.length);
        path = slice_from(path, element.length);
        if (element.bytes[0] == '.') {
            append_name(text, slice_from(element, 1));
            is_key = has_free_keys(slice_from(element, 1), path);
        } else if (element.length > 1 && element.bytes[1] == '=') {
            return;
        } else if (slice_contains(element, '=')) {
            append_filter(text, slice_from(element, 1));
        } else {
            text_append(text, element);
        }
    }
}

void jsonpath_append(struct text *text, struct slice path, const struct live_object *live)
{
    struct path_components components;
    text_append_string(text, "{");
    if (live &&
        path_components_read(path, live->review->old_object, live->review->lookup, text->arena, &components))
        append_components(text, &components);
    else
        append_printed(text, path);
    text_append_string(text, "}");
}

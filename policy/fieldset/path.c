#include "policy/fieldset/path.h"

#include "base/json.h"

/* The rest of a pattern during a walk along it; `problem` once it has found one. */
struct pattern {
    struct slice rest;
    const char *problem;
};

static bool next_is(const struct pattern *pattern, char byte)
{
    return pattern->rest.length && pattern->rest.bytes[0] == byte;
}

static bool skip(struct pattern *pattern, char byte)
{
    if (!next_is(pattern, byte))
        return false;
    pattern->rest = slice_from(pattern->rest, 1);
    return true;
}

/* Up to the first of the `ends`, or all that is left. */
static struct slice take_until(struct pattern *pattern, const char *ends)
{
    struct slice rest = pattern->rest;
    size_t length = 0;
    while (length < rest.length && (rest.bytes[length] == '\0' || !strchr(ends, rest.bytes[length])))
        length++;
    pattern->rest = slice_from(rest, length);
    return (struct slice){rest.bytes, length};
}

static bool is_literal(struct slice text)
{
    if (slice_equal(text, SLICE("true")) || slice_equal(text, SLICE("false")) ||
        slice_equal(text, SLICE("null")))
        return true;
    for (size_t i = 0; i < text.length; i++) {
        if (!strchr("0123456789+-.eE", text.bytes[i]) || text.bytes[i] == '\0')
            return false;
    }
    return text.length > 0;
}

static void check_quoted(struct pattern *pattern)
{
    skip(pattern, '"');
    for (;;) {
        take_until(pattern, "\\\"");
        if (skip(pattern, '"'))
            return;
        if (pattern->rest.length < 2) {
            pattern->problem = "a double quote is not closed";
            return;
        }
        pattern->rest = slice_from(pattern->rest, 2);
    }
}

static void check_value(struct pattern *pattern)
{
    if (next_is(pattern, '"'))
        check_quoted(pattern);
    else if (!is_literal(take_until(pattern, ",]")))
        pattern->problem = "text after = needs double quotes, as in [name=\"nginx\"]";
}

/* [containerPort=80,protocol="TCP"], after the bracket. */
static void check_keys(struct pattern *pattern)
{
    struct slice previous = {NULL, 0};
    do {
        struct slice name = take_until(pattern, "=,]");
        if (name.length == 0 || !skip(pattern, '=')) {
            pattern->problem = "brackets hold [*], [3], [=\"item\"] or [name=\"nginx\"]";
            return;
        }
        if (slice_compare(previous, name) >= 0) {
            pattern->problem =
                "the names in brackets must be in alphabetical order, as the API server prints them";
            return;
        }
        previous = name;
        check_value(pattern);
    } while (!pattern->problem && skip(pattern, ','));
}

static bool is_index(struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
    }
    return text.length > 0;
}

/* After the bracket. */
static void check_brackets(struct pattern *pattern)
{
    struct pattern ahead = *pattern;
    struct slice plain = take_until(&ahead, "=,\"]");
    bool position = next_is(&ahead, ']') && (is_index(plain) || slice_equal(plain, SLICE("*")));
    if (position)
        *pattern = ahead;
    else if (skip(pattern, '='))
        check_value(pattern);
    else
        check_keys(pattern);
    if (!pattern->problem && !skip(pattern, ']'))
        pattern->problem = "a bracket is not closed";
}

/* After the dot. */
static void check_name(struct pattern *pattern)
{
    struct slice name = take_until(pattern, ".[");
    if (name.length == 0)
        pattern->problem = "it has an empty field name";
    else if (slice_contains(name, '*'))
        pattern->problem = "* has no meaning in a name; [*] stands for any one field or item";
    else if (slice_contains(name, ']'))
        pattern->problem = "it closes a bracket that it does not open";
}

const char *path_pattern_check(struct slice text)
{
    struct pattern pattern = {.rest = text};
    if (text.length == 0)
        return "it is empty";
    if (text.bytes[0] != '.')
        return "it must begin with a dot";
    while (!pattern.problem && pattern.rest.length) {
        if (skip(&pattern, '.'))
            check_name(&pattern);
        else if (skip(&pattern, '['))
            check_brackets(&pattern);
        else
            pattern.problem = "after a bracket comes a dot, another bracket, or the end";
    }
    return pattern.problem;
}

/* No list type has more; what is looked for in a longer key again and again takes long. */
#define KEY_FIELDS_MAX 16

bool path_is_key_field(const struct path *path)
{
    return path->kind == PATH_FIELD && path->parent && path->parent->kind == PATH_KEY &&
        yyjson_obj_size(path->parent->json) <= KEY_FIELDS_MAX && json_member(path->parent->json, path->text);
}

bool path_is_metadata(const struct path *path, struct slice name)
{
    return path->depth == 2 && slice_equal(path->text, name) &&
        slice_equal(path->parent->text, SLICE("metadata"));
}

bool path_is_in_metadata(const struct path *path, struct slice map)
{
    return path->depth == 3 && path_is_metadata(path->parent, map);
}

bool path_is_metadata_key(const struct path *path, struct slice map, struct slice name)
{
    return path_is_in_metadata(path, map) && slice_equal(path->text, name);
}

bool path_printed_covers(struct slice above, struct slice printed)
{
    return slice_starts_with(printed, above) &&
        (printed.length == above.length || printed.bytes[above.length] == '.' ||
         printed.bytes[above.length] == '[');
}

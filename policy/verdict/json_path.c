#include "policy/verdict/json_path.h"

#include "base/ascii.h"

/* Bytes that could belong to a syntax beyond plain names. */
static bool is_name_byte(char byte)
{
    return (unsigned char)byte > ' ' && !strchr("\"'()*,:?@$[]\\|&<>=!~", byte);
}

static bool add_step(struct json_path *path, struct json_path_step step)
{
    if (path->count == JSON_PATH_STEPS_MAX)
        return false;
    path->steps[path->count++] = step;
    return true;
}

static bool take(struct slice *rest, struct slice expected)
{
    if (!slice_starts_with(*rest, expected))
        return false;
    *rest = slice_from(*rest, expected.length);
    return true;
}

/* A name up to the next dot or bracket, or *. */
static bool take_name(struct slice *rest, struct json_path *path)
{
    if (take(rest, SLICE("*")))
        return add_step(path, (struct json_path_step){.kind = JSON_PATH_ANY});
    size_t length = 0;
    while (length < rest->length && rest->bytes[length] != '.' && is_name_byte(rest->bytes[length]))
        length++;
    struct slice name = {rest->bytes, length};
    *rest = slice_from(*rest, length);
    return length && add_step(path, (struct json_path_step){.kind = JSON_PATH_NAME, .name = name});
}

/* After the bracket and the quote. A name with a backslash would have to be copied and unescaped. */
static bool take_quoted(struct slice *rest, char quote, struct json_path *path)
{
    struct slice name = {rest->bytes, slice_find(*rest, quote)};
    if (name.length == rest->length || slice_contains(name, '\\'))
        return false;
    *rest = slice_from(*rest, name.length + 1);
    return add_step(path, (struct json_path_step){.kind = JSON_PATH_NAME, .name = name});
}

static bool take_position(struct slice *rest, struct json_path *path)
{
    size_t digits = 0, position = 0;
    for (; digits < rest->length && ascii_is_digit(rest->bytes[digits]); digits++) {
        if (digits == 4)
            return false;
        position = position * 10 + (size_t)(rest->bytes[digits] - '0');
    }
    *rest = slice_from(*rest, digits);
    return digits &&
        add_step(path, (struct json_path_step){.kind = JSON_PATH_POSITION, .position = position});
}

/* After the bracket. */
static bool take_brackets(struct slice *rest, struct json_path *path)
{
    bool taken = take(rest, SLICE("*")) ? add_step(path, (struct json_path_step){.kind = JSON_PATH_ANY})
        : take(rest, SLICE("\""))       ? take_quoted(rest, '"', path)
        : take(rest, SLICE("'"))        ? take_quoted(rest, '\'', path)
                                        : take_position(rest, path);
    return taken && take(rest, SLICE("]"));
}

static bool take_step(struct slice *rest, struct json_path *path)
{
    if (take(rest, SLICE("[")))
        return take_brackets(rest, path);
    if (!take(rest, SLICE("..")))
        return take(rest, SLICE(".")) && take_name(rest, path);
    if (!add_step(path, (struct json_path_step){.kind = JSON_PATH_DESCENT}))
        return false;
    return !rest->length || (take(rest, SLICE("[")) ? take_brackets(rest, path) : take_name(rest, path));
}

bool json_path_parse(struct slice text, struct json_path *path)
{
    struct slice rest = text;
    path->count = 0;
    bool from_root = take(&rest, SLICE("$"));
    if (!from_root && rest.length && rest.bytes[0] != '.' && rest.bytes[0] != '[' && !take_name(&rest, path))
        return false;
    while (rest.length) {
        if (!take_step(&rest, path))
            return false;
    }
    return path->count > 0;
}

static bool step_fits(const struct json_path_step *step, const struct path_component *field)
{
    if (step->kind == JSON_PATH_NAME)
        return !field->is_item && slice_equal(step->name, field->name);
    if (step->kind == JSON_PATH_POSITION)
        return field->is_item && step->position == field->position;
    return true;
}

/* As a glob in which a descent is the star: the last one takes a level more where what follows does not fit.
 */
bool json_path_covers(const struct json_path *path, const struct path_components *field)
{
    size_t p = 0, f = 0;
    size_t after_descent = 0, descent_end = 0;
    while (f < field->count) {
        if (p < path->count && path->steps[p].kind == JSON_PATH_DESCENT) {
            after_descent = ++p;
            descent_end = f;
            /* .. a pattern that has ended matches everything below it. */
            if (p == path->count)
                return true;
        } else if (p < path->count && step_fits(&path->steps[p], &field->steps[f])) {
            p++;
            f++;
        } else if (after_descent) {
            p = after_descent;
            f = ++descent_end;
        } else {
            return false;
        }
    }
    return p == path->count;
}

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/path.h"

#include <stdio.h>
#include <stdlib.h>

static const struct slice ellipsis = SLICE_LITERAL("…");

static void append_name(struct text *text, struct slice name)
{
    struct slice cut = text_cut(name, PATH_NAME_BYTES_MAX);
    text_append_printable(text, cut);
    if (cut.length < name.length)
        text_append(text, ellipsis);
}

static void append_quoted(struct text *text, struct slice string)
{
    struct slice cut = text_cut(string, PATH_NAME_BYTES_MAX);
    text_append(text, SLICE("\""));
    text_append_quotable(text, cut);
    if (cut.length < string.length)
        text_append(text, ellipsis);
    text_append(text, SLICE("\""));
}

/* Prints the fewest digits that identify the number. */
static void print_fraction(char *printed, size_t size, double number)
{
    int digits = 6;
    do
        snprintf(printed, size, "%.*g", digits, number);
    while (digits++ < 17 && strtod(printed, NULL) != number);
}

/* As value.ToString of structured-merge-diff prints: strings quoted as by Go's %q, the rest as JSON. */
static void append_scalar(struct text *text, yyjson_val *value)
{
    char number[40];
    if (yyjson_is_str(value)) {
        append_quoted(text, json_text(value));
    } else if (yyjson_is_bool(value)) {
        text_append_string(text, yyjson_get_bool(value) ? "true" : "false");
    } else if (yyjson_is_uint(value)) {
        text_append_number(text, yyjson_get_uint(value));
    } else if (yyjson_is_num(value)) {
        if (yyjson_is_sint(value))
            snprintf(number, sizeof(number), "%lld", (long long)yyjson_get_sint(value));
        else
            print_fraction(number, sizeof(number), yyjson_get_real(value));
        text_append_string(text, number);
    } else {
        text_append_string(text, yyjson_is_null(value) ? "null" : "…");
    }
}

static void append_key(struct text *text, struct slice name, yyjson_val *value, bool first)
{
    text_append_string(text, first ? "" : ",");
    append_name(text, name);
    text_append_string(text, "=");
    append_scalar(text, value);
}

static void append_named_keys(struct text *text, const struct path *element)
{
    bool first = true;
    for (size_t i = 0; i < element->key_names->count; i++) {
        yyjson_val *value = json_member(element->json, element->key_names->items[i]);
        if (!value)
            continue;
        append_key(text, element->key_names->items[i], value, first);
        first = false;
    }
}

/* Keys of more fields than any list type has are printed as they stand, as far as a path goes. */
#define SORTED_KEYS_MAX 16

/* Sorted by name, as the API server prints them. */
static void append_all_keys(struct text *text, const struct path *element)
{
    yyjson_val *keys[SORTED_KEYS_MAX];
    size_t count = 0, size = yyjson_obj_size(element->json), start = text->length;
    bool first = true;
    json_each_key(key, element->json) {
        if (text->length - start > PATH_BYTES_MAX)
            return;
        if (size > SORTED_KEYS_MAX) {
            append_key(text, json_text(key), yyjson_obj_iter_get_val(key), first);
            first = false;
            continue;
        }
        size_t position = count++;
        for (; position && slice_compare(json_text(key), json_text(keys[position - 1])) < 0; position--)
            keys[position] = keys[position - 1];
        keys[position] = key;
    }
    for (size_t i = 0; i < count; i++)
        append_key(text, json_text(keys[i]), yyjson_obj_iter_get_val(keys[i]), i == 0);
}

void path_append_element(struct text *text, const struct path *element)
{
    switch (element->kind) {
    case PATH_FIELD:
        text_append_string(text, ".");
        append_name(text, element->text);
        return;
    case PATH_KEY:
        text_append_string(text, "[");
        if (element->key_names)
            append_named_keys(text, element);
        else
            append_all_keys(text, element);
        break;
    case PATH_VALUE:
        text_append_string(text, "[=");
        append_scalar(text, element->json);
        break;
    case PATH_INDEX:
        text_append_string(text, "[");
        append_name(text, element->text);
        break;
    }
    text_append_string(text, "]");
}

static void append_below(struct text *text, size_t start, const struct path *path)
{
    if (!path)
        return;
    append_below(text, start, path->parent);
    if (text->length - start <= PATH_BYTES_MAX)
        path_append_element(text, path);
}

void path_append(struct text *text, const struct path *path)
{
    size_t start = text->length;
    append_below(text, start, path);
    if (text->length - start > PATH_BYTES_MAX) {
        text->length = start +
            text_cut((struct slice){text->bytes + start, text->length - start}, PATH_BYTES_MAX).length;
        text_append(text, ellipsis);
    }
}

size_t path_element_end(struct slice printed, size_t from)
{
    bool quoted = false;
    unsigned brackets = 0;
    for (size_t i = from; i < printed.length; i++) {
        char byte = printed.bytes[i];
        if (quoted && byte == '\\')
            i++;
        else if (byte == '"' && brackets)
            quoted = !quoted;
        else if (quoted)
            continue;
        else if (byte == ']' && brackets)
            brackets--;
        else if (i > from && !brackets && (byte == '.' || byte == '['))
            return i;
        else if (byte == '[')
            brackets++;
    }
    return printed.length;
}

/* A longer key of a list item, such as a uid, says less than the name of the list. */
#define KEY_BYTES_MAX 40

/*
 * Within `limit` bytes the first element, then the list whose name begins at `name`, and the rest without the
 * key of its item: .metadata.ownerReferences[…].controller. Where the path ends with the key, the end of it:
 * finalizers[…io/cleanup"]. False: it has no long key, or no room.
 */
static bool append_list(struct text *text, struct slice printed, size_t name, size_t limit)
{
    size_t first_end = path_element_end(printed, 0), key = path_element_end(printed, name);
    size_t end = path_element_end(printed, key);
    struct slice between = name == first_end ? SLICE("") : ellipsis;
    struct slice list = slice_from(slice_until(printed, key), name + (between.length != 0));
    size_t length = first_end + between.length + list.length + strlen("[…");
    bool is_last = end == printed.length;
    bool is_of_list = printed.bytes[name] == '.' && key < end && printed.bytes[key] == '[';
    if (!is_of_list || end - key <= KEY_BYTES_MAX ||
        length + (is_last ? KEY_BYTES_MAX / 2 : strlen("]") + printed.length - end) > limit)
        return false;
    text_append_all(text, slice_until(printed, first_end), between, list, "[…");
    if (is_last)
        text_append(text, text_cut_front(printed, limit - length));
    else
        text_append_all(text, "]", slice_from(printed, end));
    return true;
}

void path_append_short(struct text *text, struct slice printed, size_t limit)
{
    if (printed.length <= limit) {
        text_append(text, printed);
        return;
    }
    size_t first_end = path_element_end(printed, 0);
    if (first_end + ellipsis.length >= limit) {
        text_append_all(text, text_cut(printed, limit), ellipsis);
        return;
    }
    size_t room = limit - first_end - ellipsis.length;
    size_t start = first_end, name = first_end; /* where the last name in front of `start` begins */
    while (start < printed.length && printed.length - start > room) {
        name = printed.bytes[start] == '.' ? start : name;
        start = path_element_end(printed, start);
    }
    if (append_list(text, printed, name, limit))
        return;
    text_append_all(text, slice_until(printed, first_end), ellipsis);
    /* After the ellipsis a dot says nothing: .spec…containers[name="nginx"].image */
    if (start < printed.length)
        text_append(text, slice_from(printed, start + (printed.bytes[start] == '.')));
    else
        text_append(text, text_cut_front(printed, room));
}

/*
 * Sets the rest of the pattern behind the elements down to `path`; false if they do not match. A pattern that
 * has ended covers everything below it.
 */
static bool match_down(struct slice *rest, const struct path *path, struct arena *arena)
{
    if (!path)
        return true;
    if (!match_down(rest, path->parent, arena))
        return false;
    if (rest->length == 0)
        return true;
    if (slice_starts_with(*rest, SLICE("[*]"))) {
        *rest = slice_from(*rest, 3);
        return true;
    }
    size_t length = 0;
    if (path->kind == PATH_FIELD) {
        length = path->text.length + 1;
        if (rest->bytes[0] != '.' || !slice_starts_with(slice_from(*rest, 1), path->text))
            return false;
    } else if (rest->bytes[0] == '[' && path->text.length <= PATH_BYTES_MAX) {
        struct arena_mark start = arena_mark(arena);
        struct text element = text_start(arena, 64);
        path_append_element(&element, path);
        length = element.length;
        bool is_same = !element.failed && slice_starts_with(*rest, text_slice(&element));
        arena_rewind(arena, start);
        if (!is_same)
            return false;
    } else {
        return false;
    }
    *rest = slice_from(*rest, length);
    return rest->length == 0 || rest->bytes[0] == '.' || rest->bytes[0] == '[';
}

bool path_pattern_covers(struct slice pattern, const struct path *path, struct arena *arena)
{
    struct slice rest = pattern;
    return match_down(&rest, path, arena) && rest.length == 0;
}

#include "commands/preview/yaml_lines.h"

#include "base/split.h"
#include "manifest/write_yaml.h"

/* A list has the depth of its key, the content of a map is two deeper. `continues_line`: continues a line. */
static void write_container(struct text *text, const struct value *value, size_t depth, bool continues_line);

static void write_block(struct text *text, struct slice string, size_t depth)
{
    struct slice line;
    text_append_all(text, " ", yaml_block_header(string), "\n");
    while (yaml_block_line(&string, &line)) {
        text_append_spaces(text, line.length ? depth : 0);
        text_append_all(text, line, "\n");
    }
}

/* Writes a scalar behind a key or a dash; also empty lists and maps. */
static void write_scalar(struct text *text, const struct value *value, size_t depth)
{
    struct slice string = value_text(value);
    if (string.bytes && yaml_is_block(string)) {
        write_block(text, string, depth);
        return;
    }
    text_append_string(text, " ");
    if (value->kind == VALUE_SCALAR)
        yaml_append_scalar(text, value->scalar);
    else
        text_append_string(
            text,
            value->kind == VALUE_NULL       ? "null"
                : value->kind == VALUE_LIST ? "[]"
                                            : "{}");
    text_append_string(text, "\n");
}

static bool is_scalar(const struct value *value)
{
    return value->kind == VALUE_SCALAR || value->kind == VALUE_NULL || !value->count;
}

static void write_key(struct text *text, struct slice name, size_t depth)
{
    struct text key = text_start(text->arena, name.length + 8);
    yaml_append_string(&key, name);
    struct slice written = text_slice(&key);
    bool is_long = written.length > YAML_SIMPLE_KEY_BYTES_MAX;
    text_append_all(text, is_long ? "? " : "", written);
    if (is_long) {
        text_append_string(text, "\n");
        text_append_spaces(text, depth);
    }
    text_append_string(text, ":");
}

static void write_member(struct text *text, const struct value_member *member, size_t depth)
{
    write_key(text, member->name, depth);
    if (is_scalar(member->value)) {
        write_scalar(text, member->value, depth + 2);
        return;
    }
    text_append_string(text, "\n");
    write_container(text, member->value, member->value->kind == VALUE_LIST ? depth : depth + 2, false);
}

static void write_item(struct text *text, const struct value *item, size_t depth)
{
    text_append_string(text, "-");
    if (is_scalar(item)) {
        write_scalar(text, item, depth + 2);
        return;
    }
    text_append_string(text, " ");
    write_container(text, item, depth + 2, true);
}

static void write_container(struct text *text, const struct value *value, size_t depth, bool continues_line)
{
    for (size_t i = 0; i < value->count; i++) {
        text_append_spaces(text, i || !continues_line ? depth : 0);
        if (value->kind == VALUE_LIST)
            write_item(text, value->items[i], depth);
        else
            write_member(text, &value->members[i], depth);
    }
}

static size_t count_lines(struct slice text)
{
    size_t count = 0;
    for (; text.length; count++)
        split_next(&text, '\n');
    return count;
}

struct slice_list yaml_lines_of(const struct value *value, struct arena *arena)
{
    struct text text = text_start(arena, 4096);
    if (value && !is_scalar(value))
        write_container(&text, value, 0, false);
    struct slice rest = text_slice(&text);
    struct slice *lines = arena_allocate_array(arena, count_lines(rest) + 1, sizeof(*lines));
    size_t count = 0;
    while (lines && rest.length)
        lines[count++] = split_next(&rest, '\n');
    return (struct slice_list){lines, count};
}

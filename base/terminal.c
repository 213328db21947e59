#include "base/terminal.h"

#include "base/terminal_columns.h"

#define TAB_COLUMNS 8

const char *terminal_action_colour(const char *action)
{
    return strcmp(action, "deny") == 0 ? TERMINAL_DENY
        : strcmp(action, "warn") == 0  ? TERMINAL_WARN
                                       : TERMINAL_AUDIT;
}

void terminal_append_coloured(struct text *text, const char *colour_code, const char *string, bool colour)
{
    text_append_all(text, colour ? colour_code : "", string, colour ? TERMINAL_RESET : "");
}

size_t terminal_append_character(
    struct text *text, struct slice line, size_t offset, size_t column, size_t *length)
{
    struct slice rest = slice_from(line, offset);
    int32_t character = text_character(rest, length);
    if (character == '\t') {
        size_t columns = TAB_COLUMNS - column % TAB_COLUMNS;
        text_append(text, slice_until(SLICE("        "), columns));
        return columns;
    }
    if (text_is_command(line, offset)) {
        text_append(text, SLICE("\\x23"));
        return 4;
    }
    size_t before = text->length;
    text_append_printable(text, slice_until(rest, *length));
    bool is_escaped = character < 0 || text->length - before != *length;
    return is_escaped ? text->length - before : terminal_character_columns(character);
}

static void append_without_commands(
    struct text *text, struct slice bytes, void (*append)(struct text *text, struct slice bytes))
{
    for (size_t i = 0; i < bytes.length; i++) {
        if (!text_is_command(bytes, i))
            continue;
        append(text, slice_until(bytes, i));
        text_append(text, SLICE("\\x23"));
        bytes = slice_from(bytes, i + 1);
        i = 0;
    }
    append(text, bytes);
}

void terminal_append(struct text *text, struct slice bytes)
{
    append_without_commands(text, bytes, text_append_printable);
}

void terminal_append_lines(struct text *text, struct slice lines)
{
    append_without_commands(text, lines, text_append);
}

/* Also after any white space. */
const char *terminal_guard(struct slice line)
{
    unsigned char first = line.length ? (unsigned char)line.bytes[0] : '-';
    return first <= ' ' || first >= 0x7f || first == ':' || first == '#' ? "./" : "";
}

void terminal_append_place(struct text *text, struct slice file, unsigned line, unsigned column, bool colour)
{
    text_append_all(text, colour ? TERMINAL_HEADING : "", terminal_guard(file), as_terminal(file), ":");
    if (line)
        text_append_all(text, line, ":");
    if (line && column)
        text_append_all(text, column, ":");
    text_append_string(text, colour ? TERMINAL_RESET " " : " ");
}

void terminal_append_problem(
    struct text *text, struct slice file, unsigned line, unsigned column, enum terminal_label label,
    struct slice sentence, bool colour)
{
    terminal_append_place(text, file, line, column, colour);
    if (label == TERMINAL_ERROR)
        terminal_append_coloured(text, TERMINAL_DENY, "error:", colour);
    else
        terminal_append_coloured(text, TERMINAL_HEADING, "note:", colour);
    text_append_all(text, " ", as_terminal(sentence), "\n");
}

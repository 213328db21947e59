#include "report/excerpt.h"

#include "base/terminal.h"

#include <stdio.h>

/* A position in the line, in bytes and in columns of a terminal. */
struct position {
    size_t offset;
    size_t column;
};

/*
 * The position of the character with this number, counted from 1; the end of the line if it has fewer
 * characters.
 */
static struct position find_character(struct slice source, unsigned number, struct arena *arena)
{
    struct text unused = text_start(arena, 4 * source.length);
    struct position position = {0, 0};
    while (--number && position.offset < source.length) {
        size_t length;
        position.column +=
            terminal_append_character(&unused, source, position.offset, position.column, &length);
        position.offset += length;
    }
    return position;
}

/*
 * Appends the visible part of the line: at most EXCERPT_COLUMNS_MAX columns from the column `from`, with … in
 * place of the rest. Returns the first column of that part, counted from 0.
 */
static size_t append_part(struct text *text, struct slice source, size_t from)
{
    struct text character = text_start(text->arena, 64);
    struct position position = {0, 0};
    size_t left = 0;
    bool has_begun = false;
    while (position.offset < source.length) {
        size_t length;
        character.length = 0;
        size_t columns =
            terminal_append_character(&character, source, position.offset, position.column, &length);
        if (position.column >= from && !has_begun) {
            has_begun = true;
            left = from ? position.column - 1 : 0;
            text_append_string(text, from ? "…" : "");
        }
        if (has_begun && position.column + columns > left + EXCERPT_COLUMNS_MAX) {
            text_append_string(text, "…");
            break;
        }
        if (has_begun)
            text_append(text, (struct slice){character.bytes, character.length});
        position.column += columns;
        position.offset += length;
    }
    text->failed |= character.failed;
    return left;
}

void excerpt_append(struct text *text, struct slice source, unsigned line, unsigned column, bool colour)
{
    if (!source.length || source.length > EXCERPT_SOURCE_BYTES_MAX)
        return;
    char number[16];
    snprintf(number, sizeof(number), "%5u", line);
    text_append_all(text, number, " | ");
    struct position caret = {0, 0};
    if (column)
        caret = find_character(source, column, text->arena);
    size_t from = caret.column >= EXCERPT_COLUMNS_MAX ? caret.column - EXCERPT_COLUMNS_MAX / 2 : 0;
    size_t left = append_part(text, source, from);
    text_append_string(text, "\n");
    if (!column || caret.offset >= source.length)
        return;
    text_append_spaces(text, strlen(number));
    text_append_string(text, " | ");
    text_append_spaces(text, caret.column - left);
    terminal_append_coloured(text, TERMINAL_GOOD, "^", colour);
    text_append_string(text, "\n");
}

#include "base/cell.h"

#include "base/columns.h"

size_t cell_width(struct slice text)
{
    size_t width = 0;
    for (size_t length; text.length; text = slice_from(text, length)) {
        int32_t character = text_character(text, &length);
        width += columns_of(character);
    }
    return width;
}

void cell_append_cut(struct text *text, struct slice bytes, size_t columns)
{
    size_t used = 0;
    if (cell_width(bytes) <= columns) {
        text_append(text, bytes);
        return;
    }
    for (size_t length; bytes.length; bytes = slice_from(bytes, length)) {
        used += columns_of(text_character(bytes, &length));
        if (used >= columns)
            break;
        text_append(text, slice_until(bytes, length));
    }
    text_append_string(text, columns ? "…" : "");
}

void cell_append(struct text *text, struct slice bytes, size_t columns, bool is_right)
{
    size_t width = cell_width(bytes);
    size_t fill = width < columns ? columns - width : 0;
    text_append_spaces(text, is_right ? fill : 0);
    cell_append_cut(text, bytes, columns);
    text_append_spaces(text, (is_right ? 0 : fill) + 2);
}

void cell_end_line(struct text *text)
{
    while (text->length && text->bytes[text->length - 1] == ' ')
        text->length--;
    text_append_string(text, "\n");
}

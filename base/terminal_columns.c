#include "base/terminal_columns.h"

#include "base/array_size.h"
#include "base/search.h"

struct range {
    int32_t first, last;
    unsigned char columns;
};

static const struct range ranges[] = {
#define NONE(first, last) {first, last, 0},
#define TWO(first, last) {first, last, 2},
#include "base/terminal_columns.def"
#undef NONE
#undef TWO
};

static bool ends_before(const void *range, const void *character)
{
    return ((const struct range *)range)->last < *(const int32_t *)character;
}

size_t terminal_character_columns(int32_t character)
{
    size_t place = search_first(ranges, ARRAY_SIZE(ranges), sizeof(*ranges), ends_before, &character);
    bool is_in_range = place < ARRAY_SIZE(ranges) && character >= ranges[place].first;
    return is_in_range ? ranges[place].columns : 1;
}

size_t terminal_text_columns(struct slice text)
{
    size_t width = 0;
    for (size_t length; text.length; text = slice_from(text, length)) {
        int32_t character = text_character(text, &length);
        width += terminal_character_columns(character);
    }
    return width;
}

void terminal_append_cut(struct text *text, struct slice bytes, size_t columns)
{
    size_t used = 0;
    if (terminal_text_columns(bytes) <= columns) {
        text_append(text, bytes);
        return;
    }
    for (size_t length; bytes.length; bytes = slice_from(bytes, length)) {
        used += terminal_character_columns(text_character(bytes, &length));
        if (used >= columns)
            break;
        text_append(text, slice_until(bytes, length));
    }
    text_append_string(text, columns ? "…" : "");
}

void terminal_append_cell(struct text *text, struct slice bytes, size_t columns, bool is_right)
{
    size_t width = terminal_text_columns(bytes);
    size_t fill = width < columns ? columns - width : 0;
    text_append_spaces(text, is_right ? fill : 0);
    terminal_append_cut(text, bytes, columns);
    text_append_spaces(text, (is_right ? 0 : fill) + 2);
}

void terminal_end_line(struct text *text)
{
    while (text->length && text->bytes[text->length - 1] == ' ')
        text->length--;
    text_append_string(text, "\n");
}

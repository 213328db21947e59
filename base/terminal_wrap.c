#include "base/terminal_wrap.h"

#include "base/terminal_columns.h"
#include "base/terminal_output.h"

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t';
}

/* Removes the first word from the front of `text`. Empty if there is none. */
static struct slice next_word(struct slice *text)
{
    size_t start = 0, end;
    while (start < text->length && is_space(text->bytes[start]))
        start++;
    for (end = start; end < text->length && !is_space(text->bytes[end]);)
        end++;
    struct slice word = slice_until(slice_from(*text, start), end - start);
    *text = slice_from(*text, end);
    return word;
}

void terminal_wrap(struct slice text, size_t indent, size_t column, FILE *out)
{
    size_t columns = terminal_columns_to_wrap(out);
    bool begins = true; /* a line, or what is printed of it */
    for (struct slice word = next_word(&text); word.length; word = next_word(&text)) {
        size_t width = terminal_text_columns(word);
        if (!begins && column + 1 + width > columns) {
            fputc('\n', out);
            column = 0;
            begins = true;
        }
        if (!begins)
            fputc(' ', out);
        else if (column < indent)
            fprintf(out, "%*s", (int)(indent - column), "");
        column = (begins ? (column < indent ? indent : column) : column + 1) + width;
        begins = false;
        fwrite(word.bytes, 1, word.length, out);
    }
    fputc('\n', out);
}

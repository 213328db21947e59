#include "commands/explain/unbox.h"

#include "base/ascii.h"
#include "base/find.h"
#include "base/split.h"
#include "base/text.h"

#define ESCAPE '\x1b'

static const struct slice bar = SLICE_LITERAL("│");

static bool has_bars_or_colours(struct slice text)
{
    return slice_contains(text, '[') || slice_contains(text, ESCAPE) || slice_contains_text(text, bar);
}

static size_t skip_numbers(struct slice text, size_t length)
{
    while (length < text.length && (ascii_is_digit(text.bytes[length]) || text.bytes[length] == ';'))
        length++;
    return length;
}

/* The length of [1;31m, which a web page shows of a colour, as it drops ESC. No path has this. */
static size_t visible_length(struct slice text)
{
    size_t length = skip_numbers(text, 1);
    return length > 1 && length < text.length && text.bytes[length] == 'm' ? length + 1 : 0;
}

/* The length of ESC [ 1 ; 31 m at the start of the text; 0 if it starts with something else. */
static size_t colour_length(struct slice text)
{
    if (text.bytes[0] == '[')
        return visible_length(text);
    if (text.bytes[0] != ESCAPE || text.length < 2 || text.bytes[1] != '[')
        return text.bytes[0] == ESCAPE;
    size_t length = skip_numbers(text, 2);
    return length < text.length ? length + 1 : length;
}

static struct slice without_colours(struct slice text, struct arena *arena)
{
    struct text plain = text_start(arena, text.length);
    for (size_t i = 0, end; i < text.length; i = end) {
        end = i + colour_length(slice_from(text, i));
        if (end > i)
            continue;
        do
            end++;
        while (end < text.length && text.bytes[end] != ESCAPE && text.bytes[end] != '[');
        text_append(&plain, slice_from(slice_until(text, end), i));
    }
    return text_slice(&plain);
}

static struct slice trim_start(struct slice line)
{
    while (line.length && (line.bytes[0] == ' ' || line.bytes[0] == '\t'))
        line = slice_from(line, 1);
    return line;
}

struct slice unbox(struct slice text, struct arena *arena)
{
    if (!text.length || !has_bars_or_colours(text))
        return text;
    struct slice rest = without_colours(text, arena);
    struct text joined = text_start(arena, rest.length);
    bool in_paragraph = false;
    while (rest.length) {
        struct slice line = split_next(&rest, '\n'), start = trim_start(line);
        bool is_boxed = slice_starts_with(start, bar);
        struct slice words = is_boxed ? trim_start(slice_from(start, bar.length)) : line;
        text_append_all(&joined, is_boxed && words.length && in_paragraph ? " " : "\n", words);
        in_paragraph = is_boxed && words.length;
    }
    text_append_string(&joined, "\n");
    return text_slice(&joined);
}

#include "commands/explain/unwrap.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/split.h"
#include "base/text.h"

/* The columns that terminals have. Each character is taken for one column. */
#define COLUMNS_MIN 20
#define COLUMNS_MAX 500

static struct slice next_line(struct slice *rest)
{
    struct slice line = split_next(rest, '\n');
    return slice_ends_with(line, SLICE("\r")) ? slice_until(line, line.length - 1) : line;
}

static size_t columns_of_longest(struct slice text)
{
    size_t longest = 0;
    while (text.length) {
        size_t columns = text_character_count(next_line(&text));
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

static bool is_one_word(struct slice line)
{
    for (size_t i = 0; i < line.length; i++)
        if (ascii_is_space(line.bytes[i]))
            return false;
    return line.length > 0;
}

/* [ownership-conflict] ends a message; [name="web"] may go on. kapp begins a line behind a denial. */
static bool ends_message(struct slice line)
{
    char last = line.bytes[line.length - 1], before = line.bytes[line.length - 2];
    bool is_rule = last == ']' && ((before >= 'a' && before <= 'z') || before == '-');
    return is_rule || slice_ends_with(line, SLICE("denied the request:"));
}

static bool begins_line(struct slice text)
{
    static const struct slice beginnings[] = {
        SLICE_LITERAL("conflict with "), SLICE_LITERAL("conflicts with "), SLICE_LITERAL("- "),
        SLICE_LITERAL("Please review "), SLICE_LITERAL("Warning: ")};
    for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
        if (slice_starts_with(text, beginnings[i]))
            return true;
    return false;
}

/* Programs that copy from a terminal leave out the space at the end of a line. */
static const char *between(struct slice line, struct slice rest, enum unwrap which, size_t longest)
{
    size_t columns = text_character_count(line);
    if (!rest.length || columns + 1 < longest || ends_message(line) || begins_line(rest))
        return "\n";
    if (which == UNWRAP_WORDS)
        return columns == longest && is_one_word(next_line(&rest)) ? "" : "\n";
    return columns == longest ? "" : " ";
}

struct slice unwrap(struct slice text, enum unwrap which, struct arena *arena)
{
    size_t longest = columns_of_longest(text);
    if (longest < COLUMNS_MIN || longest > COLUMNS_MAX)
        return text;
    struct text joined = text_start(arena, text.length);
    while (text.length) {
        struct slice line = next_line(&text);
        text_append_all(&joined, line, between(line, text, which, longest));
    }
    return text_slice(&joined);
}

#include "commands/check/variants.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/file_path.h"

/* The name of the file without its ending. */
static struct slice stem_of(struct slice path)
{
    const struct slice name = file_path_name(path);
    size_t end = name.length;
    while (end && name.bytes[end - 1] != '.')
        end--;
    return end ? slice_until(name, end - 1) : name;
}

static bool is_separator(char character)
{
    return character == '-' || character == '_' || character == '.';
}

static struct slice take_word(struct slice *rest)
{
    size_t length = 0;
    while (length < rest->length && !is_separator(rest->bytes[length]))
        length++;
    const struct slice word = slice_until(*rest, length);
    *rest = slice_from(*rest, length < rest->length ? length + 1 : length);
    return word;
}

/* 01, 2, v2 */
static bool is_number(struct slice word)
{
    size_t start = word.length && word.bytes[0] == 'v';
    for (size_t i = start; i < word.length; i++)
        if (!ascii_is_digit(word.bytes[i]))
            return false;
    return word.length > start;
}

static bool is_of_leftover(struct slice word)
{
    static const char *const words[] = {"copy",     "old",  "new",  "backup",   "bak",     "orig",
                                        "original", "tmp",  "temp", "previous", "current", "final",
                                        "again",    "last", "next", "draft",    "wip",     "duplicate"};
    return !word.length || is_number(word) || slice_is_one_of(word, words, ARRAY_SIZE(words));
}

bool files_are_variants(struct slice path, struct slice other)
{
    struct slice more = stem_of(path), less = stem_of(other);
    if (more.length < less.length) {
        const struct slice longer = less;
        less = more;
        more = longer;
    }
    bool has_more = false;
    struct slice wanted = take_word(&less);
    while (more.length) {
        const struct slice word = take_word(&more);
        if (slice_equal(word, wanted)) {
            wanted = take_word(&less);
        } else {
            if (is_of_leftover(word))
                return false;
            has_more = true;
        }
    }
    return has_more && !wanted.length && !less.length;
}

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

static bool has_word(struct slice name, struct slice wanted)
{
    while (name.length)
        if (slice_equal(take_word(&name), wanted))
            return true;
    return false;
}

/* Route, for an HTTPRoute */
static bool ends_kind(struct slice kind, struct slice word)
{
    return word.length <= kind.length &&
        slice_equal_in_any_case(slice_from(kind, kind.length - word.length), word);
}

/* A letter counts, as a number does. */
static bool names_a_variant(struct slice word, struct slice kind, struct slice object_name)
{
    return word.length > 1 && !is_of_leftover(word) && !ends_kind(kind, word) && !has_word(object_name, word);
}

/* The words of a file's name that the other name has, too, and those that name a variant. */
struct words {
    size_t shared;
    size_t variants;
    bool has_others; /* such as old */
};

static struct words compare_words(
    struct slice stem, struct slice other, struct slice kind, struct slice object_name)
{
    struct words words = {0};
    while (stem.length) {
        const struct slice word = take_word(&stem);
        const bool is_shared = has_word(other, word);
        const bool is_variant = !is_shared && names_a_variant(word, kind, object_name);
        words.shared += is_shared;
        words.variants += is_variant;
        words.has_others |= !is_shared && !is_variant && !is_number(word);
    }
    return words;
}

bool files_are_siblings(
    struct slice path, struct slice other, struct slice group_kind, struct slice object_name)
{
    const struct slice kind = slice_until(group_kind, slice_find(group_kind, '.'));
    const struct slice stem = stem_of(path), other_stem = stem_of(other);
    const struct words words = compare_words(stem, other_stem, kind, object_name);
    const struct words other_words = compare_words(other_stem, stem, kind, object_name);
    return words.shared && words.variants && other_words.variants && !words.has_others &&
        !other_words.has_others;
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

#include "policy/analysis/run_names.h"

#include "base/ascii.h"

/* Up to the next mark, such as - or / */
static struct slice first_word(struct slice name)
{
    size_t length = 0;
    while (length < name.length && ascii_is_alphanumeric(name.bytes[length]))
        length++;
    return slice_until(name, length);
}

static bool is_number_or_hash(struct slice word)
{
    bool has_digit = false;
    for (size_t i = 0; i < word.length; i++) {
        char c = word.bytes[i];
        if (!ascii_is_digit(c) && !(c >= 'a' && c <= 'f'))
            return false;
        has_digit |= ascii_is_digit(c);
    }
    return has_digit;
}

bool run_names_are_of_one(struct slice a, struct slice b)
{
    bool differ = false;
    while (a.length && b.length) {
        struct slice x = first_word(a), y = first_word(b);
        bool is_same = slice_equal(x, y);
        if (!is_same && !(is_number_or_hash(x) && is_number_or_hash(y)))
            return false;
        differ |= !is_same;
        a = slice_from(a, x.length);
        b = slice_from(b, y.length);
        if (a.length && b.length && *a.bytes != *b.bytes)
            return false;
        a = slice_from(a, a.length ? 1 : 0);
        b = slice_from(b, b.length ? 1 : 0);
    }
    return differ && !a.length && !b.length;
}

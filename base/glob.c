#include "base/glob.h"

/* Past the character at `at`: a `?` matches é as it matches e. */
static size_t next_character(struct slice text, size_t at)
{
    at++;
    while (at < text.length && ((unsigned char)text.bytes[at] & 0xc0) == 0x80)
        at++;
    return at;
}

/*
 * Where the text does not go on as the pattern does, the last star takes one byte more. Earlier stars need
 * not be tried again: the last one can take what they could take.
 */
bool glob_match_whole(struct slice pattern, struct slice text)
{
    size_t p = 0, t = 0;
    size_t after_star = 0; /* 0: no star yet */
    size_t star_end = 0;   /* what the last star takes ends here */
    while (t < text.length) {
        if (p < pattern.length && pattern.bytes[p] == text.bytes[t] && text.bytes[t] != '*') {
            p++;
            t++;
        } else if (p < pattern.length && pattern.bytes[p] == '*') {
            after_star = ++p;
            star_end = t;
            if (p == pattern.length)
                return true;
        } else if (p < pattern.length && pattern.bytes[p] == '?') {
            p++;
            t = next_character(text, t);
        } else if (after_star) {
            p = after_star;
            t = ++star_end;
        } else {
            return false;
        }
    }
    while (p < pattern.length && pattern.bytes[p] == '*')
        p++;
    return p == pattern.length;
}

bool glob_match_any(const struct slice *patterns, size_t count, struct slice text)
{
    for (size_t i = 0; i < count; i++) {
        if (glob_match(patterns[i], text))
            return true;
    }
    return false;
}

/*
 * printable.h: that what is said is fit for a log line, a header and a terminal.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_PRINTABLE_H
#define APPLYGUARD_TESTS_FUZZ_PRINTABLE_H

#include "base/slice.h"
#include "fuzz.h"

#include <stdbool.h>

/*
 * Whether three bytes are a character that turns text around or ends a line: U+200E, U+200F, U+2028 to
 * U+202E, U+2066 to U+2069, or the byte order mark.
 */
static inline bool reorders(const unsigned char *bytes)
{
    if (bytes[0] == 0xe2 && bytes[1] == 0x80)
        return bytes[2] == 0x8e || bytes[2] == 0x8f || (bytes[2] >= 0xa8 && bytes[2] <= 0xae);
    if (bytes[0] == 0xe2 && bytes[1] == 0x81)
        return bytes[2] >= 0xa6 && bytes[2] <= 0xa9;
    return bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf;
}

/* `allowed` is the one control character that may be there; 0: none. */
static inline void check_printable(struct slice text, char allowed)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        promise(
            i + 2 >= text.length || !reorders((const unsigned char *)text.bytes + i),
            "no character that turns text around is printed");
        bool control = byte < 0x20 || byte == 0x7f ||
            (byte == 0xc2 && i + 1 < text.length && (unsigned char)text.bytes[i + 1] < 0xa0);
        promise(!control || (allowed && text.bytes[i] == allowed), "no control character is printed");
    }
}

#endif

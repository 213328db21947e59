/*
 * printable.h: that what is said is fit for a log line, a header and a terminal.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_PRINTABLE_H
#define APPLYGUARD_TESTS_FUZZ_PRINTABLE_H

#include "base/slice.h"
#include "fuzz.h"

#include <stdbool.h>

/* `allowed` stands for the one control character that may be there; 0: none. */
static inline void check_printable(struct slice text, char allowed)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        bool control = byte < 0x20 || byte == 0x7f ||
            (byte == 0xc2 && i + 1 < text.length && (unsigned char)text.bytes[i + 1] < 0xa0);
        promise(!control || (allowed && text.bytes[i] == allowed), "no control character is printed");
    }
}

#endif

/*
 * marks.h: where a character of a text stands, in lines and columns that editors count.
 *
 * libyaml gives positions as a count of characters, and also ends lines with CR, NEL, LS and PS.
 */
#ifndef APPLYGUARD_MANIFEST_MARKS_H
#define APPLYGUARD_MANIFEST_MARKS_H

#include "base/slice.h"

#include <stddef.h>

/* A position that moves through a text; a move costs as much as it is far. */
struct marks {
    struct slice text;
    size_t character; /* how many characters there are before it */
    size_t offset;    /* how many bytes */
    unsigned line;
    unsigned column;
};

/* At the start of the text, whose first line has this number. */
struct marks marks_start(struct slice text, unsigned first_line);

/* Moves to a character, or the end of the text if it has fewer. */
void marks_move(struct marks *marks, size_t character);

/* Moves forward to a byte, which must begin a character and not lie before. */
void marks_move_to_offset(struct marks *marks, size_t offset);

/* Moves back over white space, to behind what comes before it. */
void marks_move_before_blanks(struct marks *marks);

#endif

/*
 * marks.h: lines and columns as editors count them.
 *
 * libyaml gives positions as a count of characters, and also ends lines with CR, NEL, LS and PS.
 */
#ifndef APPLYGUARD_MANIFEST_MARKS_H
#define APPLYGUARD_MANIFEST_MARKS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* A position that moves through a text; a move costs time by its distance. */
struct marks {
    struct slice text;
    size_t character; /* the number of characters before it */
    size_t offset;    /* the number of bytes before it */
    unsigned line;
    unsigned column;
};

/* Starts at the beginning of the text, whose first line has this number. */
struct marks marks_start(struct slice text, unsigned first_line);

/*
 * Whether each character is a byte, and a line ends with LF alone, the last one too: then libyaml's lines and
 * columns are those of editors.
 */
bool marks_are_bytes(struct slice text);

/* Moves to a character, or the end of the text if it has fewer. */
void marks_move(struct marks *marks, size_t character);

/* Moves forward to a byte, which must begin a character and must not be before the position. */
void marks_move_to_offset(struct marks *marks, size_t offset);

/* Moves back over white space, to the end of the content before it. */
void marks_move_before_blanks(struct marks *marks);

#endif

/*
 * wrap.h: prints text in lines that fit a terminal.
 */
#ifndef APPLYGUARD_BASE_WRAP_H
#define APPLYGUARD_BASE_WRAP_H

#include "base/slice.h"

#include <stdio.h>

/* The usual width of a terminal. */
#define WRAP_COLUMNS 80

/*
 * Prints the words of UTF-8 text with one space between them, and ends the line. `column` is how much of the
 * first line is already printed; the others are indented. A word that is too long stays whole.
 */
void wrap_print(struct slice text, size_t indent, size_t column, FILE *out);

/* The columns that UTF-8 text takes, where each character takes one. */
size_t wrap_width(struct slice text);

#endif

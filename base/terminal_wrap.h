/*
 * terminal_wrap.h: prints text in lines that fit a terminal.
 */
#ifndef APPLYGUARD_BASE_TERMINAL_WRAP_H
#define APPLYGUARD_BASE_TERMINAL_WRAP_H

#include "base/slice.h"

#include <stdio.h>

/*
 * Prints the words of a printable text with one space between them, and ends the line. A line is as wide as
 * the terminal of `out`. `column` is how much of the first line is already printed; the others are indented.
 * A word that is too long stays whole.
 */
void terminal_wrap(struct slice text, size_t indent, size_t column, FILE *out);

#endif

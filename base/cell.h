/*
 * cell.h: text in columns of a terminal. Private to blame/.
 */
#ifndef APPLYGUARD_BASE_CELL_H
#define APPLYGUARD_BASE_CELL_H

#include "base/text.h"

/* How many columns a printable text takes. */
size_t cell_width(struct slice text);

/* As much of a printable text as fits, with an ellipsis for the rest. */
void cell_append_cut(struct text *text, struct slice bytes, size_t columns);

/* Cut or filled to its width, and two spaces that part it from the next. */
void cell_append(struct text *text, struct slice bytes, size_t columns, bool is_right);

/* Ends a line, without spaces at its end. */
void cell_end_line(struct text *text);

#endif

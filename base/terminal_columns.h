/*
 * terminal_columns.h: text in columns of a terminal.
 */
#ifndef APPLYGUARD_BASE_TERMINAL_COLUMNS_H
#define APPLYGUARD_BASE_TERMINAL_COLUMNS_H

#include "base/text.h"

#include <stdint.h>

/*
 * How many columns a printable character takes: 0 for a combining mark, 2 for a wide character, or 1. Needs
 * no locale.
 */
size_t terminal_character_columns(int32_t character);

/* How many columns a printable text takes. */
size_t terminal_text_columns(struct slice text);

/* As much of a printable text as fits, with an ellipsis for the rest. */
void terminal_append_cut(struct text *text, struct slice bytes, size_t columns);

/* A cell of a table: cut or filled to its width, and two spaces that part it from the next. */
void terminal_append_cell(struct text *text, struct slice bytes, size_t columns, bool is_right);

/* Ends a line, without spaces at its end. */
void terminal_end_line(struct text *text);

#endif

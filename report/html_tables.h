/*
 * html_tables.h: tables of pages of HTML, and the script for them.
 *
 * The script sorts tables of the class sortable by a column, and shows only the rows of the table of the
 * class filtered that have the words in the field with the ID filter; the number of them is in the element
 * with the ID shown.
 */
#ifndef APPLYGUARD_REPORT_HTML_TABLES_H
#define APPLYGUARD_REPORT_HTML_TABLES_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

extern const char html_tables_script[];

/* From the row of headers to the start of the body; columns from `first_number` on hold numbers. */
void html_append_table_head(struct text *text, const char *const *columns, size_t count, size_t first_number);

/* The end of the body and of the table, and a sentence on the rows that are not shown. */
void html_append_table_end(struct text *text, uint64_t shown, uint64_t count);

/* The start of a row, and its header. */
void html_append_row_head(struct text *text, struct slice name);

/* Cells of a row. */
void html_append_cell(struct text *text, struct slice content);
void html_append_number_cell(struct text *text, uint64_t number);

/* The same as parts of text_append_all. */
static inline struct text_escaped as_row_head(struct slice name)
{
    return as_escaped(html_append_row_head, name);
}

static inline struct text_escaped as_cell(struct slice content)
{
    return as_escaped(html_append_cell, content);
}

#endif

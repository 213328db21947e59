/*
 * excerpt.h: a line of a source with a caret under one of its columns, as compilers print it.
 */
#ifndef APPLYGUARD_REPORT_EXCERPT_H
#define APPLYGUARD_REPORT_EXCERPT_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>

/* Longer lines are not shown: they were not written by hand. */
#define EXCERPT_SOURCE_BYTES_MAX 1000

/* Of a longer line, only the part around the caret is shown. */
#define EXCERPT_COLUMNS_MAX 100

/*
 * Appends two lines: the source with its number, and the caret. `column` counts characters from 1; 0 or
 * beyond the end: no caret. Tabs, wide characters and escapes take the columns that they take on a terminal.
 */
void excerpt_append(struct text *text, struct slice source, unsigned line, unsigned column, bool colour);

#endif

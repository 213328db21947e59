/*
 * excerpt.h: a line of a source with a caret under one of its columns, as compilers print it.
 */
#ifndef APPLYGUARD_REPORT_EXCERPT_H
#define APPLYGUARD_REPORT_EXCERPT_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>

/* Longer lines are not shown: people do not write such lines. */
#define EXCERPT_SOURCE_BYTES_MAX 1000

/* A longer line is cut to the part around the caret. */
#define EXCERPT_COLUMNS_MAX 100

/*
 * Appends two lines: the source with its number, and the caret. `column` counts characters from 1. If it is 0
 * or beyond the end, the caret is left out. Tabs, wide characters and escapes count as many columns as a
 * terminal shows.
 */
void excerpt_append(struct text *text, struct slice source, unsigned line, unsigned column, bool colour);

#endif

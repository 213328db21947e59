/*
 * line_diff.h: the difference of two texts, line by line (Myers, "An O(ND) difference algorithm"). Private to
 * this component.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_LINE_DIFF_H
#define APPLYGUARD_COMMANDS_PREVIEW_LINE_DIFF_H

#include "base/text.h"

/* The limit of differences: with more, everything from the first to the last one is shown as replaced. */
#define LINE_DIFF_MAX 1000

/* Appends the hunks of a unified diff, with three lines of context; nothing if the texts are equal. */
void line_diff_append(struct text *text, struct slice_list before, struct slice_list after, bool has_colour);

#endif

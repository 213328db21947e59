/*
 * markdown.h: prints a page of docs/rules/ on a terminal.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_MARKDOWN_H
#define APPLYGUARD_CLI_FRAMEWORK_MARKDOWN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints the Markdown of applyguard's pages as plain text: headings in capitals, paragraphs, list items and
 * cells in lines that fit, fenced blocks indented and otherwise unchanged. A link keeps its text, and its
 * address if that is one of the web. With colour, headings are bold and fenced blocks are cyan. Returns -1 if
 * memory runs out.
 */
int markdown_print(struct slice page, bool has_colour, struct arena *arena, FILE *out);

#endif

/*
 * markdown.h: prints a page of docs/rules/ on a terminal.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_MARKDOWN_H
#define APPLYGUARD_CLI_FRAMEWORK_MARKDOWN_H

#include "base/arena.h"

#include <stdio.h>

/*
 * Prints the Markdown of applyguard's pages as plain text: headings in capitals, paragraphs, list items and
 * cells in lines that fit, fenced blocks indented and otherwise unchanged. A link keeps its text. It keeps
 * its address as well, unless that is the page of a rule, which the text names. Returns -1 if memory runs
 * out.
 */
int markdown_print(struct slice page, struct arena *arena, FILE *out);

#endif

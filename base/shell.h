/*
 * shell.h: words of commands for a shell.
 */
#ifndef APPLYGUARD_BASE_SHELL_H
#define APPLYGUARD_BASE_SHELL_H

#include "base/text.h"

/*
 * Appends one word, in single quotes where it needs them. A character that cannot be printed is escaped,
 * which makes another word of it.
 */
void shell_append_word(struct text *text, struct slice word);

#endif

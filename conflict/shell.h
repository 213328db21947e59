/*
 * shell.h: words of commands for a shell.
 */
#ifndef APPLYGUARD_CONFLICT_SHELL_H
#define APPLYGUARD_CONFLICT_SHELL_H

#include "base/text.h"
#include "conflict/conflict.h"

/* One word, in single quotes where it needs them. What cannot be printed is escaped, and then it is another.
 */
void shell_append_word(struct text *text, struct slice word);

/* deployment.apps web -n shop; KIND NAME where they are not known. */
void shell_append_object(struct text *text, const struct conflict_object *object);

#endif

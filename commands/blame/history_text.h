/*
 * history_text.h: the history of an object, for people and as JSON. Private to blame/.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_TEXT_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_TEXT_H

#include "commands/blame/history.h"
#include "commands/blame/print.h"

/* The fields that have changed, each with the changes that are kept; and what the log does not show. */
void history_append_text(struct text *text, const struct blame *blame, const struct blame_print *print);

/* A field's own: an object. */
void history_append_field_json(struct text *text, const struct blame_node *node);

/* That of the object. */
void history_append_json(struct text *text, const struct history *history);

#endif

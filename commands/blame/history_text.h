/* history_text.h: the history of an object, for people and as JSON. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_TEXT_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_TEXT_H

#include "commands/blame/history.h"
#include "commands/blame/print.h"

/* The changed fields, each with its kept changes; and the gaps of the log. */
void history_append_text(struct text *text, const struct blame *blame, const struct blame_print *print);

/* The changes of one field, a line for each; empty if it has none. */
void history_append_field_text(
    struct text *text, const struct blame *blame, const struct blame_node *node,
    const struct blame_print *print);

/* The history of a field: an object. */
void history_append_field_json(struct text *text, const struct blame_node *node);

/* The history of the object. */
void history_append_json(struct text *text, const struct history *history);

#endif

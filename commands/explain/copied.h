/*
 * copied.h: undoes the changes of programs through which people copy text: mail wraps lines and begins them
 * with >, chats print other quotation marks, and web pages have entities.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_COPIED_H
#define APPLYGUARD_COMMANDS_EXPLAIN_COPIED_H

#include "base/arena.h"
#include "base/slice.h"

/*
 * The text in one line, with the quotation marks of ASCII. Use it if the text as it is explains nothing. NULL
 * bytes if memory runs out.
 */
struct slice copied_undo(struct slice text, struct arena *arena);

#endif

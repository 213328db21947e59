/*
 * unquote.h: undoes the quoting of JSON, and of Go's %q.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_UNQUOTE_H
#define APPLYGUARD_COMMANDS_EXPLAIN_UNQUOTE_H

#include "base/arena.h"
#include "base/slice.h"

/*
 * The text up to the first quotation mark that no backslash precedes, or up to its end, with its escapes
 * undone. `*taken` is the number of bytes before the mark. NULL bytes if memory runs out.
 */
struct slice unquote(struct slice text, struct arena *arena, size_t *taken);

#endif

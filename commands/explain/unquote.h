/*
 * unquote.h: undoes the quoting of JSON, of Go's %q, and of Python's repr().
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_UNQUOTE_H
#define APPLYGUARD_COMMANDS_EXPLAIN_UNQUOTE_H

#include "base/arena.h"
#include "base/slice.h"

/*
 * The text up to the first `mark` that no backslash precedes, or up to its end, with its escapes undone.
 * `mark` is the quotation mark that ends it. `*taken` is the number of bytes before the mark. NULL bytes if
 * memory runs out.
 */
struct slice unquote(struct slice text, char mark, struct arena *arena, size_t *taken);

#endif

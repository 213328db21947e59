/*
 * unwrap.h: joins the lines that a terminal of a fixed width broke, also within a word, before people copied
 * them.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_UNWRAP_H
#define APPLYGUARD_COMMANDS_EXPLAIN_UNWRAP_H

#include "base/arena.h"
#include "base/slice.h"

enum unwrap {
    UNWRAP_WORDS, /* only before a line of one word, as the rest of a path is */
    UNWRAP_ALL
};

/*
 * The text in which each line as long as the longest one goes on with the next line, unless it ends in [rule]
 * or "denied the request:". The text itself if no terminal is that wide. `bytes` is NULL if memory runs out.
 */
struct slice unwrap(struct slice text, enum unwrap which, struct arena *arena);

#endif

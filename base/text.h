/*
 * text.h: building text in an arena, and making foreign text fit to print.
 *
 * Everything that leaves applyguard is built here: answers, log lines, messages. Text that others chose
 * (names of managers, fields, objects, users) goes through text_append_printable first, so that no control or
 * bidirectional-formatting character ever reaches a terminal, a log or a warning header.
 */
#ifndef APPLYGUARD_BASE_TEXT_H
#define APPLYGUARD_BASE_TEXT_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    struct arena *arena;
    char *bytes;
    size_t length;
    size_t capacity;
    bool failed; /* no memory at some point: what it holds is not whole */
};

/* An empty text; `expected` is how much it will probably hold. Failure shows in `failed`. */
struct text text_start(struct arena *arena, size_t expected);

/* Appends bytes as they are. Does nothing once `failed`. */
void text_append(struct text *text, struct slice bytes);
void text_append_number(struct text *text, uint64_t number);

/* Inline, so that a literal's length is known when compiling. */
static inline void text_append_string(struct text *text, const char *string)
{
    text_append(text, slice_of(string));
}

/* Appends with what must not be printed escaped: controls as \n, \x1b, \u202e; bytes that are no UTF-8 as
 * \xff. */
void text_append_printable(struct text *text, struct slice bytes);

/* The same as a text of its own. NULL bytes if there is no memory. */
struct slice text_printable(struct arena *arena, struct slice bytes);

/* The same, and " and \ escaped: the form that Go's %q gives, without the quotes around. */
void text_append_quotable(struct text *text, struct slice bytes);

/* Appends a JSON string with its quotes: the same text to whoever parses it. Bytes that are no UTF-8 become
 * U+FFFD. */
void text_append_json(struct text *text, struct slice bytes);

/*
 * What was built so far. Empty, with `bytes` NULL, if the text failed or memory ran out for anything in its
 * arena: a text may consist of others. Parts of it are made from this slice, with slice_until and slice_from.
 */
struct slice text_slice(const struct text *text);

/*
 * The longest beginning of `text` that is at most `limit` bytes and ends at a character; the caller adds the
 * ellipsis it has kept room for.
 */
struct slice text_cut(struct slice text, size_t limit);

#endif

/*
 * message_fit.h: makes a message fit into the line that a person reads.
 *
 * The API server prints a warning of at most 256 bytes. Names can be longer than that, so a sentence marks
 * the names and paths in it, which may be shortened. The advice after its first "; " may be left out.
 * Commands are whole, because part of a command would be another one: where one does not fit, its first words
 * are in brackets: (applyguard migrate). The marks are bytes that UTF-8 does not have, and printable text has
 * none of them: only message_fit sees them.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_FIT_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_FIT_H

#include "base/slice.h"
#include "base/text.h"

enum message_mark {
    MESSAGE_NAME, /* a name begins: shortened in the middle */
    MESSAGE_PATH, /* a printed path begins: shortened at its start, because its end says most */
    MESSAGE_END,  /* the name or path ends */
};

void message_mark(struct text *text, enum message_mark mark);

/* Appends a name from the request, printable and between its marks. */
void message_append_marked(struct text *text, struct slice name);

/* The same as a part of text_append_all. */
static inline struct text_escaped message_marked(struct slice name)
{
    return as_escaped(message_append_marked, name);
}

/* The parts of a message, in order. Each may be empty. */
struct message_parts {
    struct slice object;   /* with marks */
    struct slice sentence; /* with marks */
    struct slice command;
    bool is_whole; /* for a report, whose lines have no limit: nothing is shortened or left out */
};

/*
 * "OBJECT: SENTENCE: COMMAND" without marks; unless `is_whole`, in at most `room` bytes. Shortens names
 * first, and less with only the first words of the command; then leaves out the advice. `bytes` is NULL if
 * memory runs out.
 */
struct slice message_fit(const struct message_parts *parts, size_t room, struct arena *arena);

#endif

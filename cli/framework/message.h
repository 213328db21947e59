/*
 * message.h: the messages of the command line, one line each.
 *
 * They contain names of files, flags and objects, which may come from strangers. So each message is escaped
 * as a whole: no control character reaches the terminal, no name looks like a line of its own, and no message
 * is a command to a CI system that reads the log. Parts that are already escaped stay unchanged.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_MESSAGE_H
#define APPLYGUARD_CLI_FRAMEWORK_MESSAGE_H

#include "base/error.h"

#include <stdio.h>

/*
 * Prints a message on standard error, after flushing standard output. The format has no newline at its end.
 */
void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a message on `out`, as a part of the output. */
void message_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* FILE:LINE:COLUMN: LABEL SENTENCE, as compilers print them. An empty label has no space behind it. */
void message_print_place(FILE *out, const char *path, const char *label, const struct error *error);

#endif

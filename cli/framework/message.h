/*
 * message.h: the messages of the command line, one line each.
 *
 * They name files, flags and objects, whose names come from anywhere. So a message is escaped as a whole: no
 * control character reaches the terminal, no name looks like a line of its own, and none is a command to the
 * CI system whose log it is in. Parts that are escaped already stay as they are.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_MESSAGE_H
#define APPLYGUARD_CLI_FRAMEWORK_MESSAGE_H

#include "base/error.h"

#include <stdio.h>

/* Prints a message on standard error, after what is printed so far. The format has no newline at its end. */
void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same on `out`, as a part of the output. */
void message_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* FILE:LINE:COLUMN: LABEL SENTENCE, as compilers print them. An empty label has no space behind it. */
void message_print_place(FILE *out, const char *path, const char *label, const struct error *error);

#endif

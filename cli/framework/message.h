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
#include "base/terminal.h"

#include <stdio.h>

/*
 * Prints a message on standard error, after flushing standard output. The format has no newline at its end.
 */
void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a message on `out`, as a part of the output. */
void message_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports on standard error that a command ran out of memory. Returns the exit status. */
int message_say_out_of_memory(const char *command);

/* FILE:LINE:COLUMN: error: SENTENCE, as compilers print it, or note. */
void message_print_problem(FILE *out, const char *path, enum terminal_label label, const struct error *error);

#endif

/*
 * command_line.h: runs commands, and parses their flags.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_COMMAND_LINE_H
#define APPLYGUARD_CLI_FRAMEWORK_COMMAND_LINE_H

#include "cli/framework/command.h"

/*
 * Runs the command, or its subcommand that argv[1] names. Without a subcommand, prints the help on stderr; an
 * unknown one is an error. Returns the exit status.
 */
int command_run(const struct command *command, int argc, char **argv);

/* Prints "applyguard NAME: SUBJECT PROBLEM; see applyguard NAME --help". Returns the exit status. */
int command_misused(const struct command *command, const char *subject, const char *problem);

/* Prints on stderr that the subcommand is unknown, and lists the subcommands. Returns the exit status. */
int command_unknown(const struct command *command, const char *name);

/*
 * Reports that both `first` and `second` read standard input. Flags and arguments with the value "-" are
 * checked before the command runs.
 */
int command_reads_input_twice(const struct command *command, const char *first, const char *second);

#endif

/*
 * command_line.h: runs commands, and parses their flags.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_COMMAND_LINE_H
#define APPLYGUARD_CLI_FRAMEWORK_COMMAND_LINE_H

#include "cli/framework/command.h"

/*
 * Runs the command, or its subcommand that argv[1] names. Without one prints the help on stderr, and of an
 * unknown one says so. Returns the exit status.
 */
int command_run(const struct command *command, int argc, char **argv);

/* What is left of the arguments without the flags. */
struct operands {
    char **items;
    int count;
};

/*
 * Parses flags into `options`, and -h and --help. True: go on with the operands; `status` is left alone.
 * False: it is the exit status: help was printed, or on stderr what is wrong.
 */
bool command_parse(
    const struct command *command, int argc, char **argv, void *options, struct operands *operands,
    int *status);

/* Says on stderr "applyguard NAME: SUBJECT PROBLEM; see applyguard NAME --help". Returns the exit status. */
int command_misused(const struct command *command, const char *subject, const char *problem);

/* Says on stderr that the command has no such subcommand, and which it has. Returns the exit status. */
int command_unknown(const struct command *command, const char *name);

/* The same as command_misused of two that both read standard input. command_parse sees to flags and arguments
 * that say "-". */
int command_reads_input_twice(const struct command *command, const char *first, const char *second);

#endif

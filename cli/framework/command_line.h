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

/* The arguments without the flags. */
struct operands {
    char **items;
    int count;
};

/*
 * Parses flags into `options`, and -h and --help. If it returns true, the command continues with the
 * operands, and `status` is unchanged. If it returns false, `status` is the exit status: it has printed help,
 * or an error on stderr.
 */
bool command_parse(
    const struct command *command, int argc, char **argv, void *options, struct operands *operands,
    int *status);

/* Prints "applyguard NAME: SUBJECT PROBLEM; see applyguard NAME --help". Returns the exit status. */
int command_misused(const struct command *command, const char *subject, const char *problem);

/* Prints on stderr that the subcommand is unknown, and lists the subcommands. Returns the exit status. */
int command_unknown(const struct command *command, const char *name);

/*
 * Reports that both `first` and `second` read standard input. command_parse checks flags and arguments with
 * the value "-".
 */
int command_reads_input_twice(const struct command *command, const char *first, const char *second);

#endif

/*
 * commands.h: the commands of `applyguard`, one file each.
 *
 * A command gets its own name as argv[0] and returns the exit status: for those that judge, 0 for nothing
 * denied, 1 for something denied, 2 where input, flags or policy could not be read.
 */
#ifndef APPLYGUARD_CLI_COMMANDS_H
#define APPLYGUARD_CLI_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define EXIT_DENIED 1
#define EXIT_UNREADABLE 2

/* Name, function, and what it is for: dispatch and help read this one list. */
#define COMMANDS(COMMAND)                                                                                    \
    COMMAND("serve", command_serve, "Serve the admission webhook")                                           \
    COMMAND("review", command_review, "Judge recorded AdmissionReviews offline")                             \
    COMMAND("policy", command_policy, "Check a policy file, or show it with every default")                  \
    COMMAND("certs", command_certs, "Make, show and renew certificates by hand")                             \
    COMMAND("version", command_version, "Print the version")                                                 \
    COMMAND("help", command_help, "Explain a command")

#define COMMAND(name, function, summary) int function(int argc, char **argv);
COMMANDS(COMMAND)
#undef COMMAND

/* Runs the command that argv[0] names; says what there is if there is no such command. */
int command_run(int argc, char **argv);

/* Whether the argument asks for help: -h or --help. */
static inline bool is_help_flag(const char *argument)
{
    return strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0;
}

/* The list of commands, for people. */
void commands_print(FILE *out);

#endif

/*
 * commands.h: the commands of `applyguard`, one file each.
 *
 * A command gets its own name as argv[0] and returns the exit status. For commands that judge: 0 if nothing
 * is denied, 1 if something is, 2 if input, flags or policy cannot be read.
 */
#ifndef APPLYGUARD_CLI_COMMANDS_H
#define APPLYGUARD_CLI_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define EXIT_DENIED 1
#define EXIT_UNREADABLE 2

/* Name, function and summary of each command, for dispatch and help. */
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

/* Runs the command that argv[0] names. Lists the commands if there is no such command. */
int command_run(int argc, char **argv);

/* Whether the argument asks for help: -h or --help. */
static inline bool is_help_flag(const char *argument)
{
    return strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0;
}

/* Prints the list of commands. */
void commands_print(FILE *out);

#endif

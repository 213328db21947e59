/*
 * commands.h: the commands of `applyguard`, one file each.
 *
 * The exit status of commands that judge: 0 if nothing is denied, 1 if something is, 2 if input, flags or
 * policy cannot be read.
 */
#ifndef APPLYGUARD_CLI_COMMANDS_H
#define APPLYGUARD_CLI_COMMANDS_H

#include "cli/framework/command.h"

extern const struct command command_serve;
extern const struct command command_review;
extern const struct command command_check;
extern const struct command command_policy;
extern const struct command command_certs;
extern const struct command command_explain;
extern const struct command command_blame;
extern const struct command command_preview;
extern const struct command command_migrate;
extern const struct command command_replay;
extern const struct command command_scan;
extern const struct command command_completion;
extern const struct command command_complete;
extern const struct command command_version;
extern const struct command command_help;

/* The program itself, with all commands as its subcommands. */
extern const struct command commands;

#endif

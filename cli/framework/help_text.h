/*
 * help_text.h: a command's --help.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_HELP_TEXT_H
#define APPLYGUARD_CLI_FRAMEWORK_HELP_TEXT_H

#include "cli/framework/command.h"

#include <stdio.h>

void help_print(const struct command *command, FILE *out);

#endif

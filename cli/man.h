/*
 * man.h: the manual page applyguard(1).
 */
#ifndef APPLYGUARD_CLI_MAN_H
#define APPLYGUARD_CLI_MAN_H

#include "cli/framework/command.h"

#include <stdio.h>

/* Prints the page of the program and all its commands in mdoc. */
void man_print(const struct command *program, FILE *out);

#endif

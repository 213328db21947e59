/*
 * terminal.h: what the output goes to.
 */
#ifndef APPLYGUARD_CLI_TERMINAL_H
#define APPLYGUARD_CLI_TERMINAL_H

#include <stdbool.h>

/* Whether standard output is a terminal whose user has not asked for text without colours (no-color.org). */
bool terminal_has_colour(void);

#endif

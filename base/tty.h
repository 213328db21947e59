/*
 * tty.h: what the output goes to.
 */
#ifndef APPLYGUARD_BASE_TTY_H
#define APPLYGUARD_BASE_TTY_H

#include <stdbool.h>

/* Whether the terminal understands nothing but text. */
bool terminal_is_dumb(void);

/*
 * Whether standard output is a terminal that has colours, and whose user has not asked for text without them
 * (no-color.org).
 */
bool terminal_has_colour(void);

#endif

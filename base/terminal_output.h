/*
 * terminal_output.h: the terminal that the output goes to: its width, its colours, and its pager.
 *
 * Call it in the main thread.
 */
#ifndef APPLYGUARD_BASE_TERMINAL_OUTPUT_H
#define APPLYGUARD_BASE_TERMINAL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether the terminal understands nothing but text. */
bool terminal_is_dumb(void);

/*
 * The width of the terminal of standard output; 0 if it is not a terminal. The same while a pager shows the
 * output.
 */
size_t terminal_columns(void);

/* The width at which text wraps: that of the terminal `out`, at least 40; 80 if it is not a terminal. */
size_t terminal_columns_to_wrap(FILE *out);

/* The values of --color, in their order. */
enum terminal_color { TERMINAL_COLOR_AUTO, TERMINAL_COLOR_ALWAYS, TERMINAL_COLOR_NEVER };

void terminal_set_color(enum terminal_color color);

/*
 * Whether to print in colour: as terminal_set_color has it, or if standard output is a terminal that has
 * colours, and whose user has not asked for text without them (no-color.org). The same while a pager shows
 * the output.
 */
bool terminal_has_colour(void);

/*
 * If standard output is a terminal, starts $PAGER, or less if there is one, and prints through it, as git
 * does. From now on an interrupt is the pager's: call it when there is something to show, and not before an
 * input that may take long is read. Does nothing if the pager runs already, or if no pager is installed.
 * terminal_end_pager ends it, at the latest at the end of the program (cli/framework/output.h).
 */
void terminal_begin_pager(void);

/* Waits until the person has read enough. Does nothing if no pager runs. */
void terminal_end_pager(void);

#endif

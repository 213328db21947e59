/* pager.h: shows output in the terminal's pager, as git does. */
#ifndef APPLYGUARD_CLI_PAGER_H
#define APPLYGUARD_CLI_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The width of standard output's terminal; 0 if it is another kind of file. */
size_t terminal_columns(void);

/* All zero: no pager. */
struct pager {
    pid_t process;
};

/*
 * If standard output is a terminal, starts $PAGER, or less if that is installed, and prints through it.
 * Otherwise prints directly. From then on an interrupt is for the pager: call it when output is ready, and
 * not before reading input that may take long. Does nothing if the pager already runs. Call pager_end before
 * the program ends.
 */
void pager_begin(struct pager *pager);

/* Waits until the user closes the pager. */
void pager_end(struct pager *pager);

#endif

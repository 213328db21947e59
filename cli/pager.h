/*
 * pager.h: shows what is printed with the pager of the terminal, as git does.
 */
#ifndef APPLYGUARD_CLI_PAGER_H
#define APPLYGUARD_CLI_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* How wide the terminal of standard output is; 0 if it is none. */
size_t terminal_columns(void);

/* All zero: there is none. */
struct pager {
    pid_t process;
};

/*
 * If standard output is a terminal, starts $PAGER, or less if there is one, and prints through it. Without
 * one prints as before. From now on an interrupt is the pager's: call it when there is something to show, and
 * not before what may take long is read. Does nothing if it runs. Call pager_end before the program ends.
 */
void pager_begin(struct pager *pager);

/* Waits until the person has read enough. */
void pager_end(struct pager *pager);

#endif

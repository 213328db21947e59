/*
 * process.h: what is needed to run another program.
 */
#ifndef APPLYGUARD_BASE_PROCESS_H
#define APPLYGUARD_BASE_PROCESS_H

#include <stdbool.h>

/* Whether a folder of PATH has this program. */
bool process_is_in_path(const char *program);

/* A pipe, [0] to read and [1] to write, that other programs do not inherit. -1, and errno is set, if there is
 * none. */
int process_pipe(int ends[2]);

#endif

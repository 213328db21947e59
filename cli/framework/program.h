/* program.h: the name under which the program was called. */
#ifndef APPLYGUARD_CLI_FRAMEWORK_PROGRAM_H
#define APPLYGUARD_CLI_FRAMEWORK_PROGRAM_H

/* Call it first, with argv[0]. */
void program_set(const char *path);

/* The command that a user types: "applyguard", or "kubectl applyguard" as a plugin of kubectl. */
const char *program_name(void);

#endif

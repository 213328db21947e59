/* file.h: the files that a command reads. */
#ifndef APPLYGUARD_CLI_FILE_H
#define APPLYGUARD_CLI_FILE_H

#include "policy/config/config.h"
#include "system/file.h"

/* Prints FILE:LINE:COLUMN: error: SENTENCE on stderr; line and column only if they are known. */
void file_complain(const char *path, const struct error *error);

/*
 * Loads a policy file, or the embedded default if `path` is NULL. On failure prints the problem with file,
 * line and column on stderr and returns NULL.
 */
struct policy *file_load_policy(const char *path);

#endif

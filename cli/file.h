/*
 * file.h: reads whole files.
 */
#ifndef APPLYGUARD_CLI_FILE_H
#define APPLYGUARD_CLI_FILE_H

#include "base/error.h"
#include "base/slice.h"
#include "policy/config/config.h"

#include <stddef.h>

struct file_content {
    char *bytes; /* freed by the caller */
    size_t length;
};

/*
 * Reads a file, a pipe, or standard input ("-"), at most `limit` bytes. Returns 0 and the content, or -1 and
 * an error that does not name the file.
 */
int file_read(const char *path, size_t limit, struct file_content *content, struct error *error);

/* Prints what is wrong with a file on stderr, with line and column if they are known. */
void file_complain(const char *path, const struct error *error);

/*
 * Loads a policy file, or the embedded default if `path` is NULL. On failure prints the problem with file,
 * line and column on stderr and returns NULL.
 */
struct policy *file_load_policy(const char *path);

#endif

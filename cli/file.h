/*
 * file.h: whole files in memory.
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
 * Reads a file, a pipe, or standard input ("-"), at most `limit` bytes. Returns 0 with its content; or -1
 * with a sentence, without the file's name, that says what is wrong.
 */
int file_read(const char *path, size_t limit, struct file_content *content, struct error *error);

/*
 * Loads a policy file, the embedded default where `path` is NULL. Returns NULL after saying on stderr, with
 * file, line and column, what is wrong.
 */
struct policy *file_load_policy(const char *path);

#endif

/*
 * directory.h: files of one directory, read whole and replaced whole.
 */
#ifndef APPLYGUARD_CLI_DIRECTORY_H
#define APPLYGUARD_CLI_DIRECTORY_H

#include "base/error.h"
#include "base/slice.h"
#include "certs/key.h"

#include <stdbool.h>
#include <sys/types.h>

struct directory {
    const char *path;
    int file; /* open */
};

/* Opens it; with `create`, makes it (0700) first if it is not there. */
int directory_open(struct directory *directory, const char *path, bool create, struct error *error);
void directory_close(struct directory *directory);

bool directory_has(const struct directory *directory, const char *name);

/* The content, in memory that is cleansed when it is freed. */
int directory_read(
    const struct directory *directory, const char *name, struct secret *content, struct error *error);

/*
 * Puts a file with this content and mode in place of what there was. Whoever reads meanwhile, or after a
 * crash in the middle, finds the old file or the new one, whole.
 */
int directory_write(
    const struct directory *directory, const char *name, mode_t mode, struct slice content,
    struct error *error);

int directory_rename(
    const struct directory *directory, const char *from, const char *to, struct error *error);

#endif

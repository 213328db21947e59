/*
 * directory.h: reads and atomically replaces files of a directory. The caller names the directory in errors.
 */
#ifndef APPLYGUARD_CERTS_DIRECTORY_H
#define APPLYGUARD_CERTS_DIRECTORY_H

#include "base/error.h"
#include "base/slice.h"
#include "certs/key.h"

#include <stdbool.h>
#include <sys/types.h>

/* Far more than certificates and keys have. */
#define CERTS_FILE_BYTES_MAX ((size_t)1024 * 1024)

struct directory {
    int file; /* open */
};

/* Opens the directory. With `create`, creates it (0700) if it does not exist. */
int directory_open(struct directory *directory, const char *path, bool create, struct error *error);
void directory_close(struct directory *directory);

bool directory_has(const struct directory *directory, const char *name);

/* Reads a file. Free the content with secret_free. */
int directory_read(
    const struct directory *directory, const char *name, struct secret *content, struct error *error);

/*
 * Creates or replaces a file with this content and mode. Concurrent readers, and readers after a crash, see
 * either the old or the new file as a whole.
 */
int directory_write(
    const struct directory *directory, const char *name, mode_t mode, struct slice content,
    struct error *error);

int directory_rename(
    const struct directory *directory, const char *from, const char *to, struct error *error);

#endif

/*
 * watched_file.h: whether a file has changed since it was read.
 *
 * The file is looked at by name every time, so that Kubernetes' way of changing one (a symbolic link, ..data,
 * that is swapped) is seen like any other.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_WATCHED_FILE_H
#define APPLYGUARD_WEBHOOK_TLS_WATCHED_FILE_H

#include "base/error.h"
#include "certs/key.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct watched_file {
    const char *path;
    const char *flag;   /* that names it, for messages */
    size_t limit;       /* bytes; one more is read, to tell what is too large */
    bool was_read;      /* and `status` is how it was then */
    struct stat status; /* as it was when last read */
    bool was_recent;    /* changed so shortly before that a further change may not show in its times */
};

/* Whether nothing shows that the file changed since it was read. */
bool watched_file_is_same(const struct watched_file *file);

/* Reads the file, and remembers how it was. Freed with secret_free. */
int watched_file_read(struct watched_file *file, struct secret *content, struct error *error);

#endif

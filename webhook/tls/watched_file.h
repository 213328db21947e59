/*
 * watched_file.h: detects changes of a file.
 *
 * Each check opens the file by name, so it also detects the way in which Kubernetes updates volumes: by
 * replacing the symbolic link ..data.
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
    const char *flag;   /* named in messages */
    size_t limit;       /* in bytes; one more byte is read, to detect larger files */
    bool was_read;      /* the file was read, and `status` is its status at that time */
    struct stat status; /* when it was last read */
    bool was_recent;    /* it had changed so recently that its timestamps may hide a further change */
};

/* Whether the file seems unchanged since it was read. */
bool watched_file_is_same(const struct watched_file *file);

/* Reads the file and stores its status. Free the content with secret_free. */
int watched_file_read(struct watched_file *file, struct secret *content, struct error *error);

#endif

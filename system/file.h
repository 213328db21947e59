/*
 * file.h: reads whole files.
 */
#ifndef APPLYGUARD_SYSTEM_FILE_H
#define APPLYGUARD_SYSTEM_FILE_H

#include "base/error.h"
#include "base/slice.h"

#include <stddef.h>

struct file_content {
    char *bytes; /* freed by the caller */
    size_t length;
};

/* The content as a slice, which lives as long as its bytes. */
static inline struct slice file_slice(const struct file_content *content)
{
    return (struct slice){content->bytes, content->length};
}

/*
 * Reads a file, a pipe, or standard input ("-"), at most `limit` bytes. Returns 0 and the content, or -1 and
 * an error that does not name the file.
 */
int file_read(const char *path, size_t limit, struct file_content *content, struct error *error);

#endif

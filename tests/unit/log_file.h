/*
 * log_file.h: a file that holds some text, for what reads files by their path.
 */
#ifndef APPLYGUARD_TESTS_UNIT_LOG_FILE_H
#define APPLYGUARD_TESTS_UNIT_LOG_FILE_H

#include "base/slice.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

struct log_file {
    int descriptor;
    char path[32];
};

/* In memory, until log_file_close; packed with gzip if `is_packed`. */
static inline struct log_file log_file_of(struct slice text, bool is_packed)
{
    struct log_file file = {.descriptor = memfd_create("log", MFD_CLOEXEC)};
    gzFile out = file.descriptor < 0 ? NULL : gzdopen(dup(file.descriptor), is_packed ? "wb1" : "wbT");
    if (!out || (text.length && gzwrite(out, text.bytes, (unsigned)text.length) != (int)text.length))
        abort();
    gzclose(out);
    snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.descriptor);
    return file;
}

/* Whether the text begins like a packed file: the reader of logs reads it as one. */
static inline bool log_file_begins_packed(struct slice text)
{
    return text.length && (text.bytes[0] == 0x1f || text.bytes[0] == 0x28);
}

static inline void log_file_close(struct log_file *file)
{
    close(file->descriptor);
}

#endif

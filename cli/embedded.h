/*
 * embedded.h: files of ours that the build puts into the program (cmake/embed.cmake).
 */
#ifndef APPLYGUARD_CLI_EMBEDDED_H
#define APPLYGUARD_CLI_EMBEDDED_H

#include "base/slice.h"

struct embedded_file {
    const char *name; /* without its folder: "unjudged.md"; NULL after the last */
    const unsigned char *bytes;
    size_t length;
};

extern const struct embedded_file embedded_files[];

/* NULL bytes if there is no such file. */
struct slice embedded_find(const char *name);

#endif

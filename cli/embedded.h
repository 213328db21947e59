/* embedded.h: applyguard's own files that the build embeds into the program (cmake/embed.cmake). */
#ifndef APPLYGUARD_CLI_EMBEDDED_H
#define APPLYGUARD_CLI_EMBEDDED_H

#include "base/slice.h"

struct embedded_file {
    const char *name; /* without its directory: "unjudged.md"; NULL after the last */
    const unsigned char *bytes;
    size_t length;
};

extern const struct embedded_file embedded_files[];

/* NULL bytes if the file does not exist. */
struct slice embedded_find(const char *name);

#endif

/*
 * tar.h: the files of a tar archive, one after another. Private to commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_TAR_H
#define APPLYGUARD_COMMANDS_SCAN_TAR_H

#include "base/error.h"
#include "manifest/source.h"

#include <stdint.h>

/* Longer names are cut. */
#define TAR_NAME_BYTES_MAX 1024

struct tar {
    manifest_read *read; /* of the archive */
    void *context;
    char name[TAR_NAME_BYTES_MAX]; /* of this file */
    uint64_t left;                 /* bytes of it that were not read yet */
    unsigned padding;              /* bytes behind it */
};

enum tar_result { TAR_FILE, TAR_END, TAR_ERROR };

/*
 * Goes to the next regular file; what was not read of the last one is skipped. TAR_ERROR sets the error,
 * which ends the reading.
 */
enum tar_result tar_next(struct tar *tar, struct error *error);

/* Reads from this file: `context` is the archive. */
ptrdiff_t tar_read(void *context, void *bytes, size_t size);

#endif

/*
 * unpacked.h: the bytes of a file; parts that are packed with gzip or zstd are unpacked.
 *
 * A file may have several packed parts, and plain text behind them, as after `cat *.gz audit.log`.
 */
#ifndef APPLYGUARD_AUDIT_UNPACKED_H
#define APPLYGUARD_AUDIT_UNPACKED_H

#include <stddef.h>

enum unpacked_result {
    UNPACKED_BYTES,
    UNPACKED_END,
    UNPACKED_UNREADABLE, /* errno says why */
    UNPACKED_NO_MEMORY,
    UNPACKED_CUT, /* it ends inside a packed part */
    UNPACKED_DAMAGED,
    UNPACKED_TOO_LARGE, /* unpacking takes too much memory */
    UNPACKED_UNKNOWN,   /* it is packed with zstd, and this program was built without zstd */
};

struct unpacked;

/* Reads from the descriptor, which it closes, even if it fails. Returns NULL if memory runs out. */
struct unpacked *unpacked_open(int descriptor);

/*
 * Fills `bytes` with at most `*length` bytes, and sets their number; any result except UNPACKED_BYTES is the
 * last one.
 */
enum unpacked_result unpacked_read(struct unpacked *file, char *bytes, size_t *length);

/* The program with which the last part was packed. */
const char *unpacked_packing(const struct unpacked *file);

/* Accepts NULL. */
void unpacked_close(struct unpacked *file);

#endif

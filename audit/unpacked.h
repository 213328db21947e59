/*
 * unpacked.h: the bytes of a file; those that are packed with gzip or zstd, unpacked. Private to audit/.
 *
 * A file may have several packed parts, and plain text behind them, as `cat *.gz audit.log` makes it.
 */
#ifndef APPLYGUARD_AUDIT_UNPACKED_H
#define APPLYGUARD_AUDIT_UNPACKED_H

#include <stddef.h>

enum unpacked_result {
    UNPACKED_BYTES,
    UNPACKED_END,
    UNPACKED_UNREADABLE, /* errno says why */
    UNPACKED_NO_MEMORY,
    UNPACKED_CUT, /* it ends within a packed part */
    UNPACKED_DAMAGED,
    UNPACKED_UNKNOWN, /* it is packed with zstd, and this program was built without it */
};

struct unpacked;

/* Reads from the descriptor, which it closes, also if it fails. NULL: there is no memory. */
struct unpacked *unpacked_open(int descriptor);

/* Fills `bytes` with at most `*length`, and sets how many there are; what is no BYTES is the last. */
enum unpacked_result unpacked_read(struct unpacked *file, char *bytes, size_t *length);

/* With which program the part that was read last is packed. */
const char *unpacked_packing(const struct unpacked *file);

/* Accepts NULL. */
void unpacked_close(struct unpacked *file);

#endif

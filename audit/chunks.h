/* chunks.h: the unpacked bytes of a file, with a part of them read ahead. Private to this component. */
#ifndef APPLYGUARD_AUDIT_CHUNKS_H
#define APPLYGUARD_AUDIT_CHUNKS_H

#include "audit/unpacked.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* How many bytes are unpacked at a time, and the most that can be read ahead. */
#define CHUNK_BYTES ((size_t)64 * 1024)

struct chunks {
    struct unpacked *file;
    size_t start, end; /* of the bytes that were not taken yet */
    bool has_ended;
    enum unpacked_result result; /* after its end: UNPACKED_END, or the problem */
    int problem;                 /* errno of UNPACKED_UNREADABLE */
    char bytes[CHUNK_BYTES];
};

/* Reads from the descriptor, which it closes, even if it fails. Returns false if memory runs out. */
bool chunks_open(struct chunks *chunks, int descriptor);

void chunks_close(struct chunks *chunks);

/*
 * The next bytes: at least `wanted`, or all that are left. Empty at the end, and if the rest is unreadable.
 */
struct slice chunks_peek(struct chunks *chunks, size_t wanted);

/* Skips the first `length` of these bytes. */
void chunks_take(struct chunks *chunks, size_t length);

#endif

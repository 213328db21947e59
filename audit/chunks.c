#include "audit/chunks.h"

#include <errno.h>
#include <string.h>

bool chunks_open(struct chunks *chunks, int descriptor)
{
    chunks->file = unpacked_open(descriptor);
    chunks->start = chunks->end = 0;
    chunks->has_ended = false;
    chunks->result = UNPACKED_END;
    chunks->problem = 0;
    return chunks->file != NULL;
}

void chunks_close(struct chunks *chunks)
{
    unpacked_close(chunks->file);
}

static void read_more(struct chunks *chunks)
{
    size_t left = chunks->end - chunks->start, length = CHUNK_BYTES - left;
    if (left && chunks->start)
        memmove(chunks->bytes, chunks->bytes + chunks->start, left);
    chunks->start = 0;
    chunks->end = left;
    enum unpacked_result result = unpacked_read(chunks->file, chunks->bytes + left, &length);
    if (result == UNPACKED_BYTES) {
        chunks->end += length;
        return;
    }
    chunks->problem = errno;
    chunks->result = result;
    chunks->has_ended = true;
}

struct slice chunks_peek(struct chunks *chunks, size_t wanted)
{
    while (chunks->end - chunks->start < wanted && !chunks->has_ended)
        read_more(chunks);
    return (struct slice){chunks->bytes + chunks->start, chunks->end - chunks->start};
}

void chunks_take(struct chunks *chunks, size_t length)
{
    chunks->start += length;
}

#include "audit/unpacked.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* What is read at a time. */
#define INPUT_BYTES ((size_t)64 * 1024)

/* inflateInit2: the largest window, and a header of gzip. */
#define GZIP_WINDOW_BITS (15 + 16)

struct unpacked {
    int descriptor;
    z_stream stream; /* with what is left of the input */
    bool is_packed;  /* within a packed part */
    bool is_plain;   /* from here to the end */
    bool has_ended;
    unsigned char input[INPUT_BYTES];
};

struct unpacked *unpacked_open(int descriptor)
{
    struct unpacked *file = malloc(sizeof(*file));
    if (file)
        file->stream = (z_stream){.zalloc = Z_NULL};
    if (!file || inflateInit2(&file->stream, GZIP_WINDOW_BITS) != Z_OK) {
        close(descriptor);
        free(file);
        return NULL;
    }
    file->descriptor = descriptor;
    file->is_packed = file->is_plain = file->has_ended = false;
    return file;
}

void unpacked_close(struct unpacked *file)
{
    if (!file)
        return;
    inflateEnd(&file->stream);
    close(file->descriptor);
    free(file);
}

/* Reads on, behind what is left. */
static enum unpacked_result read_more(struct unpacked *file)
{
    size_t left = file->stream.avail_in;
    ssize_t count;
    if (left)
        memmove(file->input, file->stream.next_in, left);
    file->stream.next_in = file->input;
    do
        count = read(file->descriptor, file->input + left, INPUT_BYTES - left);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return UNPACKED_UNREADABLE;
    file->stream.avail_in += (unsigned)count;
    file->has_ended = count == 0;
    return UNPACKED_BYTES;
}

static enum unpacked_result need(struct unpacked *file, size_t bytes)
{
    enum unpacked_result result = UNPACKED_BYTES;
    while (result == UNPACKED_BYTES && file->stream.avail_in < bytes && !file->has_ended)
        result = read_more(file);
    return result;
}

/* Finds out whether another packed part begins. What follows is plain, where it is none. */
static enum unpacked_result begin_part(struct unpacked *file)
{
    static const unsigned char magic[] = {0x1f, 0x8b};
    enum unpacked_result result = need(file, sizeof(magic));
    file->is_packed =
        file->stream.avail_in >= sizeof(magic) && memcmp(file->stream.next_in, magic, sizeof(magic)) == 0;
    file->is_plain = !file->is_packed;
    inflateReset(&file->stream);
    return result;
}

static enum unpacked_result copy(struct unpacked *file, char *bytes, size_t *length)
{
    enum unpacked_result result = need(file, 1);
    if (*length > file->stream.avail_in)
        *length = file->stream.avail_in;
    if (*length)
        memcpy(bytes, file->stream.next_in, *length);
    file->stream.next_in += *length;
    file->stream.avail_in -= (unsigned)*length;
    return result == UNPACKED_BYTES && !*length ? UNPACKED_END : result;
}

/* The length is 0 where the part ends, or begins with what has no bytes of its own. */
static enum unpacked_result unpack(struct unpacked *file, char *bytes, size_t *length)
{
    enum unpacked_result result = need(file, 1);
    if (result != UNPACKED_BYTES)
        return result;
    file->stream.next_out = (unsigned char *)bytes;
    file->stream.avail_out = (unsigned)*length;
    bool is_cut = file->stream.avail_in == 0;
    int code = inflate(&file->stream, Z_NO_FLUSH);
    *length -= file->stream.avail_out;
    file->is_packed = code != Z_STREAM_END;
    if (code == Z_MEM_ERROR)
        return UNPACKED_NO_MEMORY;
    if (is_cut && !*length && file->is_packed)
        return UNPACKED_CUT;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR ? UNPACKED_BYTES : UNPACKED_DAMAGED;
}

enum unpacked_result unpacked_read(struct unpacked *file, char *bytes, size_t *length)
{
    const size_t room = *length;
    enum unpacked_result result = UNPACKED_BYTES;
    *length = 0;
    while (result == UNPACKED_BYTES && !*length) {
        if (!file->is_packed && !file->is_plain)
            result = begin_part(file);
        *length = room;
        if (result == UNPACKED_BYTES)
            result = file->is_plain ? copy(file, bytes, length) : unpack(file, bytes, length);
    }
    return result;
}

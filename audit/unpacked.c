#include "audit/unpacked.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef APPLYGUARD_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/* How many bytes are read at a time. */
#define INPUT_BYTES ((size_t)64 * 1024)

/* The bytes that show how a part is packed. */
#define MAGIC_BYTES 4

/* inflateInit2: the largest window, and a gzip header. */
#define GZIP_WINDOW_BITS (15 + 16)

enum packing {
    PACKING_UNKNOWN, /* between two parts */
    PACKING_GZIP,
    PACKING_ZSTD,
    PACKING_NONE, /* from here to the end */
};

struct unpacked {
    int descriptor;
    z_stream stream; /* keeps unread input, with any packing */
#ifdef APPLYGUARD_ZSTD
    ZSTD_DStream *zstd; /* NULL until it is needed */
#endif
    enum packing packing;
    bool has_ended;
    bool has_parts; /* one was begun */
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
    file->packing = PACKING_UNKNOWN;
    file->has_ended = file->has_parts = false;
#ifdef APPLYGUARD_ZSTD
    file->zstd = NULL;
#endif
    return file;
}

void unpacked_close(struct unpacked *file)
{
    if (!file)
        return;
    inflateEnd(&file->stream);
#ifdef APPLYGUARD_ZSTD
    ZSTD_freeDStream(file->zstd);
#endif
    close(file->descriptor);
    free(file);
}

static ssize_t read_bytes(int descriptor, void *bytes, size_t length)
{
    ssize_t count;
    do
        count = read(descriptor, bytes, length);
    while (count < 0 && errno == EINTR);
    return count;
}

/* Reads more input, behind the unread part. */
static enum unpacked_result read_more(struct unpacked *file)
{
    size_t left = file->stream.avail_in;
    if (left)
        memmove(file->input, file->stream.next_in, left);
    file->stream.next_in = file->input;
    ssize_t count = read_bytes(file->descriptor, file->input + left, INPUT_BYTES - left);
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

static bool begins_with(const struct unpacked *file, const unsigned char *magic, size_t length)
{
    return file->stream.avail_in >= length && memcmp(file->stream.next_in, magic, length) == 0;
}

/* A frame of zstd, or one with data of other programs, such as the sizes of frames: zstd skips that. */
static bool begins_with_zstd(const struct unpacked *file)
{
    static const unsigned char zstd[] = {0x28, 0xb5, 0x2f, 0xfd}, skipped[] = {0x2a, 0x4d, 0x18};
    const unsigned char *next = file->stream.next_in;
    bool is_skipped = file->stream.avail_in > sizeof(skipped) && next[0] >> 4 == 5 &&
        memcmp(next + 1, skipped, sizeof(skipped)) == 0;
    return is_skipped || begins_with(file, zstd, sizeof(zstd));
}

/* Skips zeros behind a packed part: copies from tapes and blocks end in them, and gzip ignores them, too. */
static enum unpacked_result skip_padding(struct unpacked *file)
{
    enum unpacked_result result = need(file, 1);
    while (result == UNPACKED_BYTES && file->stream.avail_in && !file->stream.next_in[0]) {
        file->stream.next_in++;
        file->stream.avail_in--;
        result = need(file, 1);
    }
    return result;
}

/* Finds out whether another packed part begins. If not, the rest is plain. */
static enum unpacked_result begin_part(struct unpacked *file)
{
    static const unsigned char gzip[] = {0x1f, 0x8b};
    enum unpacked_result result = file->has_parts ? skip_padding(file) : UNPACKED_BYTES;
    if (result == UNPACKED_BYTES)
        result = need(file, MAGIC_BYTES);
    file->packing = begins_with(file, gzip, sizeof(gzip)) ? PACKING_GZIP
        : begins_with_zstd(file)                          ? PACKING_ZSTD
                                                          : PACKING_NONE;
    file->has_parts = true;
    if (file->packing == PACKING_GZIP)
        inflateReset(&file->stream);
    return result;
}

/* The bytes that were read to find out the packing, and behind them those of the file itself. */
static enum unpacked_result copy(struct unpacked *file, char *bytes, size_t *length)
{
    size_t left = file->stream.avail_in;
    if (!left) {
        ssize_t count = file->has_ended ? 0 : read_bytes(file->descriptor, bytes, *length);
        file->has_ended |= count == 0;
        *length = count > 0 ? (size_t)count : 0;
        return count < 0 ? UNPACKED_UNREADABLE : count ? UNPACKED_BYTES : UNPACKED_END;
    }
    if (*length > left)
        *length = left;
    memcpy(bytes, file->stream.next_in, *length);
    file->stream.next_in += *length;
    file->stream.avail_in -= (unsigned)*length;
    return UNPACKED_BYTES;
}

/* The length is 0 at the end of the part, and for a part that begins with a header. */
static enum unpacked_result unpack_gzip(struct unpacked *file, char *bytes, size_t *length)
{
    file->stream.next_out = (unsigned char *)bytes;
    file->stream.avail_out = (unsigned)*length;
    bool is_cut = file->stream.avail_in == 0;
    int code = inflate(&file->stream, Z_NO_FLUSH);
    *length -= file->stream.avail_out;
    if (code == Z_STREAM_END)
        file->packing = PACKING_UNKNOWN;
    if (code == Z_MEM_ERROR)
        return UNPACKED_NO_MEMORY;
    if (is_cut && !*length && code != Z_STREAM_END)
        return UNPACKED_CUT;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR ? UNPACKED_BYTES : UNPACKED_DAMAGED;
}

#ifdef APPLYGUARD_ZSTD

static enum unpacked_result unpack_zstd(struct unpacked *file, char *bytes, size_t *length)
{
    ZSTD_inBuffer input = {file->stream.next_in, file->stream.avail_in, 0};
    ZSTD_outBuffer output = {bytes, *length, 0};
    bool is_cut = input.size == 0;
    *length = 0;
    if (!file->zstd && !(file->zstd = ZSTD_createDStream()))
        return UNPACKED_NO_MEMORY;
    size_t left = ZSTD_decompressStream(file->zstd, &output, &input);
    if (ZSTD_isError(left))
        return ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge ? UNPACKED_TOO_LARGE
                                                                                   : UNPACKED_DAMAGED;
    file->stream.next_in += input.pos;
    file->stream.avail_in -= (unsigned)input.pos;
    *length = output.pos;
    if (left == 0)
        file->packing = PACKING_UNKNOWN;
    return is_cut && left && !output.pos ? UNPACKED_CUT : UNPACKED_BYTES;
}

#else

static enum unpacked_result unpack_zstd(struct unpacked *file, char *bytes, size_t *length)
{
    (void)file;
    (void)bytes;
    *length = 0;
    return UNPACKED_UNKNOWN;
}

#endif

static enum unpacked_result unpack(struct unpacked *file, char *bytes, size_t *length)
{
    enum unpacked_result result = need(file, 1);
    if (result != UNPACKED_BYTES)
        return result;
    return file->packing == PACKING_GZIP ? unpack_gzip(file, bytes, length)
                                         : unpack_zstd(file, bytes, length);
}

enum unpacked_result unpacked_read(struct unpacked *file, char *bytes, size_t *length)
{
    const size_t room = *length;
    enum unpacked_result result = UNPACKED_BYTES;
    *length = 0;
    while (result == UNPACKED_BYTES && !*length) {
        if (file->packing == PACKING_UNKNOWN)
            result = begin_part(file);
        *length = room;
        if (result == UNPACKED_BYTES)
            result = file->packing == PACKING_NONE ? copy(file, bytes, length) : unpack(file, bytes, length);
    }
    return result;
}

const char *unpacked_packing(const struct unpacked *file)
{
    return file->packing == PACKING_ZSTD ? "zstd" : "gzip";
}

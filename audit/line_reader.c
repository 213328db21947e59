#include "audit/line_reader.h"

#include "audit/unpacked.h"
#include "base/slice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

/* What is unpacked at a time. */
#define CHUNK_BYTES ((size_t)64 * 1024)

struct line_reader {
    struct unpacked *file;
    size_t start, end; /* of what is not read in the chunk */
    bool has_ended;
    bool has_failed;
    unsigned lines;
    char *bytes;
    size_t capacity;
    char chunk[CHUNK_BYTES];
};

struct line_reader *line_reader_open(int descriptor)
{
    struct line_reader *reader = malloc(sizeof(*reader));
    struct unpacked *file = unpacked_open(descriptor);
    if (!reader || !file) {
        unpacked_close(file);
        free(reader);
        return NULL;
    }
    reader->file = file;
    reader->start = reader->end = reader->capacity = 0;
    reader->has_ended = reader->has_failed = false;
    reader->lines = 0;
    reader->bytes = NULL;
    return reader;
}

void line_reader_close(struct line_reader *reader)
{
    if (!reader)
        return;
    unpacked_close(reader->file);
    free(reader->bytes);
    free(reader);
}

static int refuse(const struct line_reader *reader, enum unpacked_result result, struct error *error)
{
    if (result == UNPACKED_UNREADABLE)
        return error_set(error, "it cannot be read: %s", strerror(errno));
    if (result == UNPACKED_NO_MEMORY)
        return error_set(error, "there is no memory");
    if (result == UNPACKED_CUT)
        return error_set_at(error, reader->lines, 1, "it is packed with gzip, and its end is missing");
    return error_set_at(error, reader->lines, 1, "it is packed with gzip, and damaged after this line");
}

/* False at the end, or with an error. */
static bool fill(struct line_reader *reader, struct error *error)
{
    if (reader->start < reader->end)
        return true;
    if (reader->has_ended)
        return false;
    reader->start = 0;
    reader->end = CHUNK_BYTES;
    enum unpacked_result result = unpacked_read(reader->file, reader->chunk, &reader->end);
    if (result == UNPACKED_BYTES)
        return true;
    reader->end = 0;
    reader->has_ended = true;
    if (result != UNPACKED_END) {
        reader->has_failed = true;
        refuse(reader, result, error);
    }
    return false;
}

/* False if there is no memory. */
static bool keep(struct line_reader *reader, size_t used, const char *bytes, size_t length)
{
    size_t needed = used + length + YYJSON_PADDING_SIZE;
    size_t capacity = reader->capacity ? reader->capacity : CHUNK_BYTES;
    while (capacity < needed)
        capacity *= 2;
    if (!reader->bytes || capacity > reader->capacity) {
        char *larger = realloc(reader->bytes, capacity);
        if (!larger)
            return false;
        reader->bytes = larger;
        reader->capacity = capacity;
    }
    if (length)
        memcpy(reader->bytes + used, bytes, length);
    return true;
}

/* A line that was longer than any other must not keep its memory until the end. */
static void shrink(struct line_reader *reader)
{
    if (reader->capacity <= 16 * CHUNK_BYTES)
        return;
    free(reader->bytes);
    reader->bytes = NULL;
    reader->capacity = 0;
}

enum line_result line_reader_next(struct line_reader *reader, struct line *line, struct error *error)
{
    bool is_too_long = false, is_whole = false;
    shrink(reader);
    *line = (struct line){.number = reader->lines + 1};
    while (!is_whole && fill(reader, error)) {
        const char *from = reader->chunk + reader->start;
        const char *end = memchr(from, '\n', reader->end - reader->start);
        size_t length = end ? (size_t)(end - from) : reader->end - reader->start;
        is_too_long |= length > LINE_BYTES_MAX - line->length;
        if (!is_too_long && !keep(reader, line->length, from, length)) {
            reader->has_ended = true;
            reader->start = reader->end;
            error_set_at(error, line->number, 1, "there is no memory for a line of this length");
            return LINE_UNREADABLE;
        }
        line->length += is_too_long ? 0 : length;
        reader->start += length + (end != NULL);
        is_whole = end != NULL;
        line->is_torn = !is_whole;
    }
    if (reader->has_failed) {
        reader->has_failed = false;
        return LINE_UNREADABLE;
    }
    if (!is_whole && !line->is_torn)
        return LINE_END;
    reader->lines = line->number;
    struct slice text = {reader->bytes, line->length};
    size_t mark_bytes = text.length - slice_without_mark(text).length;
    line->bytes = mark_bytes ? reader->bytes + mark_bytes : reader->bytes;
    line->length -= mark_bytes;
    return is_too_long ? LINE_TOO_LONG : LINE_READ;
}

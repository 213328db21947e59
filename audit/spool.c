#include "audit/spool.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

/* Stored before and after each document, so that it is found from both ends. */
struct frame {
    uint32_t length;
    uint32_t line;
};

struct spool {
    FILE *file;
    off_t position; /* of the next document, or of its end if they are read backwards */
    off_t end;
    bool is_reversed;
    enum container container;
    char *bytes;
    size_t capacity;
};

static int fail(struct error *error)
{
    return error_set(
        error, "its newest events come first, and no temporary file can hold them: %s", strerror(errno));
}

struct spool *spool_create(struct error *error)
{
    struct spool *spool = calloc(1, sizeof(*spool));
    if (spool)
        spool->file = tmpfile();
    if (spool && spool->file)
        return spool;
    fail(error);
    free(spool);
    return NULL;
}

void spool_free(struct spool *spool)
{
    if (!spool)
        return;
    fclose(spool->file);
    free(spool->bytes);
    free(spool);
}

bool spool_add(struct spool *spool, const struct document_text *document, struct error *error)
{
    const struct frame frame = {(uint32_t)document->length, document->line};
    spool->container = document->container;
    bool is_written = fwrite(&frame, sizeof(frame), 1, spool->file) == 1 &&
        fwrite(document->bytes, 1, document->length, spool->file) == document->length &&
        fwrite(&frame, sizeof(frame), 1, spool->file) == 1;
    spool->end += (off_t)(2 * sizeof(frame) + document->length);
    return is_written || fail(error) == 0;
}

bool spool_end(struct spool *spool, bool is_reversed, struct error *error)
{
    spool->is_reversed = is_reversed;
    spool->position = is_reversed ? spool->end : 0;
    return fflush(spool->file) == 0 || fail(error) == 0;
}

static bool read_at(const struct spool *spool, void *bytes, size_t length, off_t position)
{
    size_t done = 0;
    while (done < length) {
        ssize_t count =
            pread(fileno(spool->file), (char *)bytes + done, length - done, position + (off_t)done);
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool make_room(struct spool *spool, size_t length)
{
    if (spool->capacity >= length)
        return true;
    char *larger = realloc(spool->bytes, length);
    if (!larger)
        return false;
    spool->bytes = larger;
    spool->capacity = length;
    return true;
}

enum documents_result spool_next(struct spool *spool, struct document_text *document, struct error *error)
{
    const off_t frame_bytes = (off_t)sizeof(struct frame);
    struct frame frame;
    if (spool->position == (spool->is_reversed ? 0 : spool->end))
        return DOCUMENTS_END;
    off_t at = spool->is_reversed ? spool->position - frame_bytes : spool->position;
    if (!read_at(spool, &frame, sizeof(frame), at)) {
        fail(error);
        return DOCUMENTS_UNREADABLE;
    }
    off_t start = spool->is_reversed ? at - (off_t)frame.length : at + frame_bytes;
    if (!make_room(spool, frame.length) || !read_at(spool, spool->bytes, frame.length, start)) {
        fail(error);
        return DOCUMENTS_UNREADABLE;
    }
    spool->position = spool->is_reversed ? start - frame_bytes : start + (off_t)frame.length + frame_bytes;
    *document = (struct document_text){
        .bytes = spool->bytes, .length = frame.length, .line = frame.line, .container = spool->container};
    return DOCUMENTS_READ;
}

void spool_swap(struct spool *spool, char **bytes, size_t *capacity)
{
    document_memory_swap(&spool->bytes, &spool->capacity, bytes, capacity);
}

#include "audit/window.h"

#include "base/array_size.h"
#include "base/slice.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The limit of held documents; if they are large, fewer are held. */
#define HELD_MAX 32
#define HELD_BYTES_MAX ((size_t)4 * 1024 * 1024)

/* How many bytes are searched at a time. */
#define BLOCK_BYTES ((size_t)128)

/* A time as the API server writes it. */
#define TIME_BYTES (sizeof("2026-01-31T08:00:00.000000Z") - 1)

struct held {
    struct document_text document;
    char *buffer; /* the buffer of the document */
    size_t capacity;
    char time[TIME_BYTES]; /* all zero: unknown */
};

struct window {
    struct window_source source;
    struct held *held[HELD_MAX + 1]; /* sorted by time; entries from `count` on are free */
    size_t count;
    size_t bytes;
    enum documents_result pending; /* the result after the documents; DOCUMENTS_READ: none yet */
    struct document_text pending_document;
    struct error error;
};

struct window *window_open(struct window_source source)
{
    struct window *window = calloc(1, sizeof(*window));
    bool is_whole = window;
    for (size_t i = 0; window && i < HELD_MAX + 1; i++) {
        window->held[i] = calloc(1, sizeof(*window->held[i]));
        is_whole &= window->held[i] != NULL;
    }
    if (is_whole) {
        window->source = source;
        window->pending = DOCUMENTS_READ;
        return window;
    }
    window_close(window);
    return NULL;
}

void window_close(struct window *window)
{
    for (size_t i = 0; window && i < HELD_MAX + 1; i++) {
        if (window->held[i])
            free(window->held[i]->buffer);
        free(window->held[i]);
    }
    free(window);
}

/* Removes the characters behind a name: quotation marks, which may be escaped, a colon and blanks. */
static struct slice without_marks(struct slice text)
{
    size_t marks = 0;
    while (marks < text.length && strchr("\\\": ", text.bytes[marks]) && text.bytes[marks])
        marks++;
    return slice_from(text, marks);
}

/* As slice_find, from the end: block by block, because memrchr is no part of POSIX. */
static size_t find_last(struct slice text, char byte)
{
    for (size_t end = text.length; end;) {
        size_t start = end > BLOCK_BYTES ? end - BLOCK_BYTES : 0, found = SIZE_MAX;
        for (size_t at = start; (at += slice_find(slice_from(slice_until(text, end), at), byte)) < end; at++)
            found = at;
        if (found != SIZE_MAX)
            return found;
        end = start;
    }
    return SIZE_MAX;
}

/*
 * The last time in the text of a document when a request ended: as a member, or inside a string. It is found
 * without parsing, because it is only for sorting: with a wrong one, at most some writes are not judged.
 */
static void read_time(struct held *held)
{
    static const struct slice names[] = {SLICE_LITERAL("stageTimestamp"), SLICE_LITERAL("receiveTimestamp")};
    const struct slice text = {held->document.bytes, held->document.length};
    memset(held->time, 0, sizeof(held->time));
    for (size_t at = text.length; (at = find_last(slice_until(text, at), 'T')) < text.length;) {
        for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
            const size_t before = names[i].length - sizeof("Timestamp") + 1;
            if (at < before || !slice_starts_with(slice_from(text, at - before), names[i]))
                continue;
            struct slice time = without_marks(slice_from(text, at - before + names[i].length));
            if (time.length >= TIME_BYTES)
                memcpy(held->time, time.bytes, TIME_BYTES);
            /* GKE's times have more digits. */
            held->time[TIME_BYTES - 1] = 'Z';
            return;
        }
    }
}

/* A document without a time, such as one of another program, has that of the one before it. */
static void insert(struct window *window, struct held *held)
{
    size_t place = window->count;
    if (!held->time[0] && place)
        memcpy(held->time, window->held[place - 1]->time, TIME_BYTES);
    while (place && memcmp(held->time, window->held[place - 1]->time, TIME_BYTES) < 0)
        place--;
    memmove(
        &window->held[place + 1], &window->held[place], (window->count - place) * sizeof(window->held[0]));
    window->held[place] = held;
    window->count++;
    window->bytes += held->document.length;
}

static void read_more(struct window *window)
{
    struct held *held = window->held[window->count];
    enum documents_result result =
        window->source.next(window->source.context, &held->document, &window->error);
    if (result != DOCUMENTS_READ) {
        window->pending = result;
        window->pending_document = held->document;
        return;
    }
    window->source.swap(window->source.context, &held->buffer, &held->capacity);
    read_time(held);
    insert(window, held);
}

/*
 * The first document moves behind the last, where it stays valid until the next call reads into another
 * buffer.
 */
static void take_first(struct window *window, struct document_text *document)
{
    struct held *first = window->held[0];
    *document = first->document;
    window->bytes -= first->document.length;
    memmove(&window->held[0], &window->held[1], HELD_MAX * sizeof(window->held[0]));
    window->held[HELD_MAX] = first;
    window->count--;
}

/* A very long document must not keep its memory while others are read. */
static void shrink(struct held *held)
{
    if (held->capacity <= HELD_BYTES_MAX / HELD_MAX)
        return;
    free(held->buffer);
    held->buffer = NULL;
    held->capacity = 0;
}

enum documents_result window_next(struct window *window, struct document_text *document, struct error *error)
{
    shrink(window->held[HELD_MAX]);
    while (window->pending == DOCUMENTS_READ && window->count < HELD_MAX && window->bytes < HELD_BYTES_MAX)
        read_more(window);
    if (window->count) {
        take_first(window, document);
        return DOCUMENTS_READ;
    }
    enum documents_result pending = window->pending;
    *document = window->pending_document;
    *error = window->error;
    window->pending = DOCUMENTS_READ;
    window->error = (struct error){0};
    return pending;
}

#include "audit/documents.h"

#include "audit/chunks.h"
#include "base/slice.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

/* The limit of the beginning of an object on several lines, up to its first member. */
#define INDENTED_BYTES ((size_t)32)

/* The initial memory of a document. */
#define FIRST_BYTES ((size_t)4 * 1024)

struct documents {
    enum container container; /* the open container */
    bool is_array_begun;      /* DOCUMENTS_ARRAY_BEGIN was returned, and DOCUMENTS_ARRAY_END not yet */
    bool has_failed;          /* memory ran out */
    bool has_container;       /* one was begun: it may hold no document */
    bool has_ended;           /* the end, or the problem, was returned */
    unsigned lines;           /* lines read so far */
    char *bytes;
    size_t capacity;
    struct chunks chunks;
};

struct documents *documents_open(int descriptor)
{
    struct documents *documents = malloc(sizeof(*documents));
    struct chunks chunks_alone;
    if (!documents) {
        if (chunks_open(&chunks_alone, descriptor))
            chunks_close(&chunks_alone);
        return NULL;
    }
    if (!chunks_open(&documents->chunks, descriptor)) {
        free(documents);
        return NULL;
    }
    documents->container = CONTAINER_NONE;
    documents->is_array_begun = documents->has_failed = documents->has_ended = false;
    documents->has_container = false;
    documents->lines = 0;
    documents->bytes = NULL;
    documents->capacity = 0;
    return documents;
}

void documents_close(struct documents *documents)
{
    if (!documents)
        return;
    chunks_close(&documents->chunks);
    free(documents->bytes);
    free(documents);
}

void documents_swap(struct documents *documents, char **bytes, size_t *capacity)
{
    document_memory_swap(&documents->bytes, &documents->capacity, bytes, capacity);
}

/* Returns false if memory runs out. */
static bool keep(struct documents *documents, size_t used, struct slice text)
{
    size_t needed = used + text.length;
    size_t capacity = documents->capacity ? documents->capacity : FIRST_BYTES;
    while (capacity < needed)
        capacity *= 2;
    if (!documents->bytes || capacity > documents->capacity) {
        char *larger = realloc(documents->bytes, capacity);
        if (!larger)
            return false;
        documents->bytes = larger;
        documents->capacity = capacity;
    }
    if (text.length)
        memcpy(documents->bytes + used, text.bytes, text.length);
    return true;
}

/* A very long document must not keep its memory until the end. */
static void shrink(struct documents *documents)
{
    if (documents->capacity <= 16 * CHUNK_BYTES)
        return;
    free(documents->bytes);
    documents->bytes = NULL;
    documents->capacity = 0;
}

static enum documents_result fail(
    struct documents *documents, const struct document_text *document, struct error *error)
{
    documents->has_ended = true;
    error_set_out_of_memory_at(error, document->line);
    return DOCUMENTS_UNREADABLE;
}

/* Reports why the rest of the file cannot be read. */
static enum documents_result end(struct documents *documents, struct error *error)
{
    const struct chunks *chunks = &documents->chunks;
    bool is_first = !documents->has_ended;
    documents->has_ended = true;
    if (!is_first || chunks->result == UNPACKED_END)
        return DOCUMENTS_END;
    if (chunks->result == UNPACKED_UNREADABLE)
        error_set(error, "it cannot be read: %s", strerror(chunks->problem));
    else if (chunks->result == UNPACKED_NO_MEMORY)
        error_set_out_of_memory(error);
    else if (chunks->result == UNPACKED_CUT)
        error_set_at(
            error, documents->lines, 1, "it is packed with %s, and its end is missing",
            unpacked_packing(chunks->file));
    else if (chunks->result == UNPACKED_UNKNOWN)
        error_set(error, "it is packed with zstd, and this program was built without zstd");
    else if (chunks->result == UNPACKED_TOO_LARGE)
        error_set(error, "it is packed with zstd --long, and takes more than 128 MiB to unpack");
    else
        error_set_at(
            error, documents->lines, 1, "it is packed with %s, and damaged after this line",
            unpacked_packing(chunks->file));
    return DOCUMENTS_UNREADABLE;
}

/*
 * Lines
 */

static void without_mark(struct documents *documents, struct document_text *document)
{
    struct slice text = {documents->bytes, document->length};
    size_t mark_bytes = text.length - slice_without_mark(text).length;
    document->bytes = mark_bytes ? documents->bytes + mark_bytes : documents->bytes;
    document->length -= mark_bytes;
}

static enum documents_result read_line(
    struct documents *documents, struct document_text *document, struct error *error)
{
    bool is_too_long = false, is_whole = false;
    for (struct slice text; !is_whole && (text = chunks_peek(&documents->chunks, 1)).length;) {
        size_t length = slice_find(text, '\n');
        is_whole = length < text.length;
        is_too_long |= length > DOCUMENT_BYTES_MAX - document->length;
        if (!is_too_long && !keep(documents, document->length, slice_until(text, length)))
            return fail(documents, document, error);
        document->length += is_too_long ? 0 : length;
        chunks_take(&documents->chunks, length + is_whole);
        document->is_torn = !is_whole;
    }
    if (!is_whole && (!document->is_torn || documents->chunks.result != UNPACKED_END))
        return end(documents, error);
    documents->lines++;
    without_mark(documents, document);
    return is_too_long ? DOCUMENTS_TOO_LONG : DOCUMENTS_READ;
}

/*
 * Containers
 */

static void count_lines(struct documents *documents, struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        documents->lines += text.bytes[i] == '\n';
}

/* Skips blanks and commas between elements. Returns the next byte; 0 at the end. */
static char next_byte(struct documents *documents)
{
    for (struct slice text; (text = chunks_peek(&documents->chunks, 1)).length;) {
        size_t used = 0;
        while (used < text.length && (ascii_is_space(text.bytes[used]) || text.bytes[used] == ','))
            used++;
        count_lines(documents, slice_until(text, used));
        chunks_take(&documents->chunks, used);
        if (used < text.length)
            return text.bytes[used];
    }
    return 0;
}

static enum documents_result break_off(
    struct documents *documents, unsigned line, const char *sentence, struct error *error)
{
    documents->container = CONTAINER_NONE;
    error_set_at(error, line, 1, "%s", sentence);
    return DOCUMENTS_BROKEN;
}

static enum documents_result end_within(struct documents *documents, struct error *error)
{
    if (documents->chunks.result != UNPACKED_END) {
        documents->container = CONTAINER_NONE;
        return end(documents, error);
    }
    return break_off(documents, documents->lines + 1, "the log ends within this line", error);
}

static enum documents_result read_element(
    struct documents *documents, struct document_text *document, struct error *error)
{
    struct container_scan scan = {0};
    bool is_too_long = false;
    struct slice text;
    while (!scan.has_ended && !scan.is_broken && (text = chunks_peek(&documents->chunks, 1)).length) {
        size_t length = container_scan(&scan, text);
        is_too_long |= length > DOCUMENT_BYTES_MAX - document->length;
        if (!is_too_long && !keep(documents, document->length, slice_until(text, length)))
            return fail(documents, document, error);
        document->length += is_too_long ? 0 : length;
        chunks_take(&documents->chunks, length);
    }
    documents->lines += (unsigned)scan.lines;
    if (scan.is_broken)
        return break_off(documents, document->line, "it is not JSON", error);
    if (!scan.has_ended)
        return end_within(documents, error);
    document->bytes = documents->bytes;
    return is_too_long ? DOCUMENTS_TOO_LONG : DOCUMENTS_READ;
}

/* Skips the text behind the last element: the other members of the document do not matter. */
static enum documents_result close_container(struct documents *documents, struct error *error)
{
    struct container_scan scan = {.depth = documents->container == CONTAINER_ARRAY ? 1 : 2};
    struct slice text;
    while (!scan.has_ended && !scan.is_broken && (text = chunks_peek(&documents->chunks, 1)).length)
        chunks_take(&documents->chunks, container_scan(&scan, text));
    documents->lines += (unsigned)scan.lines;
    if (scan.is_broken)
        return break_off(documents, documents->lines + 1, "it is not JSON", error);
    if (!scan.has_ended)
        return end_within(documents, error);
    documents->container = CONTAINER_NONE;
    return DOCUMENTS_READ;
}

/* Whether a container begins here. */
static bool begin_container(struct documents *documents)
{
    size_t length;
    struct slice text = chunks_peek(&documents->chunks, 1);
    char first = text.length ? text.bytes[0] : 0;
    if (first != '[' && first != '{' && first != ' ' && first != '\xef')
        return false;
    /* Most lines begin like this. */
    if (slice_starts_with(text, SLICE("{\"kind\":\"Event\",")))
        return false;
    text = chunks_peek(&documents->chunks, CONTAINER_HEAD_BYTES);
    documents->container = container_open(text, &length);
    count_lines(documents, slice_until(text, length));
    chunks_take(&documents->chunks, length);
    documents->has_container |= documents->container != CONTAINER_NONE;
    return documents->container != CONTAINER_NONE;
}

/* Whether an object begins here that has its first member on the next line, indented, as jq prints it. */
static bool begins_on_lines(struct documents *documents)
{
    struct slice text = chunks_peek(&documents->chunks, 1);
    if (!slice_starts_with(text, SLICE("{")))
        return false;
    text = slice_from(chunks_peek(&documents->chunks, INDENTED_BYTES), 1);
    text = slice_from(text, slice_starts_with(text, SLICE("\r")));
    if (!slice_starts_with(text, SLICE("\n ")) && !slice_starts_with(text, SLICE("\n\t")))
        return false;
    while (text.length && ascii_is_space(text.bytes[0]))
        text = slice_from(text, 1);
    return slice_starts_with(text, SLICE("\""));
}

bool documents_have_container(const struct documents *documents)
{
    return documents->has_container;
}

enum documents_result documents_next(
    struct documents *documents, struct document_text *document, struct error *error)
{
    shrink(documents);
    for (;;) {
        *document = (struct document_text){.line = documents->lines + 1, .container = documents->container};
        if (documents->is_array_begun && documents->container == CONTAINER_NONE) {
            documents->is_array_begun = false;
            return DOCUMENTS_ARRAY_END;
        }
        if (documents->container == CONTAINER_NONE) {
            if (!begin_container(documents))
                return begins_on_lines(documents) ? read_element(documents, document, error)
                                                  : read_line(documents, document, error);
            documents->is_array_begun =
                documents->container == CONTAINER_ARRAY || documents->container == CONTAINER_RESULTS;
            if (documents->is_array_begun)
                return DOCUMENTS_ARRAY_BEGIN;
            continue;
        }
        char next = next_byte(documents);
        document->line = documents->lines + 1;
        if (!next)
            return end_within(documents, error);
        if (next != ']')
            return read_element(documents, document, error);
        enum documents_result closed = close_container(documents, error);
        if (closed != DOCUMENTS_READ)
            return closed;
    }
}

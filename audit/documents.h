/*
 * documents.h: the JSON documents of a file, one in memory at a time. Private to audit/.
 *
 * A document is a line, or an element of a container (container.h). The file is plain or packed.
 */
#ifndef APPLYGUARD_AUDIT_DOCUMENTS_H
#define APPLYGUARD_AUDIT_DOCUMENTS_H

#include "audit/container.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The longest document that is read. The API server takes objects of 3 MiB at most, and an event has two of
 * them; the webhook backend sends 10 MiB at once.
 */
#define DOCUMENT_BYTES_MAX ((size_t)16 * 1024 * 1024)

struct document_text {
    char *bytes; /* YYJSON_PADDING_SIZE bytes may be written behind it */
    size_t length;
    unsigned line; /* 1-based: where it begins */
    bool is_torn;  /* the file ends within it */
    enum container container;
};

enum documents_result {
    DOCUMENTS_READ,        /* the document is filled, until the next call */
    DOCUMENTS_ARRAY_BEGIN, /* elements follow that may be in reverse order, until DOCUMENTS_ARRAY_END */
    DOCUMENTS_ARRAY_END,
    DOCUMENTS_TOO_LONG,   /* only the document's line is known; read on */
    DOCUMENTS_BROKEN,     /* a container breaks off at this line; `error` is filled; read on */
    DOCUMENTS_UNREADABLE, /* nothing can be read behind this; `error` is filled */
    DOCUMENTS_END,
};

struct documents;

/* Reads from the descriptor, which it closes, also if it fails. NULL: there is no memory. */
struct documents *documents_open(int descriptor);

enum documents_result documents_next(
    struct documents *documents, struct document_text *document, struct error *error);

/*
 * Keeps the document that was read last beyond the next call: hands over the memory that it is in, and takes
 * other memory (NULL: none) for the next one.
 */
void documents_swap(struct documents *documents, char **bytes, size_t *capacity);

/* Accepts NULL. */
void documents_close(struct documents *documents);

#endif

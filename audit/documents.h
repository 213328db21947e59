/*
 * documents.h: the JSON documents of a file, one in memory at a time. Private to this component.
 *
 * A document is a line, an object on several lines, or an element of a container (container.h). The file may
 * be packed.
 */
#ifndef APPLYGUARD_AUDIT_DOCUMENTS_H
#define APPLYGUARD_AUDIT_DOCUMENTS_H

#include "audit/container.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The limit of a document. The API server accepts objects of at most 3 MiB, and an event contains two of
 * them; the webhook backend sends 10 MiB at once.
 */
#define DOCUMENT_BYTES_MAX ((size_t)16 * 1024 * 1024)

struct document_text {
    const char *bytes;
    size_t length;
    unsigned line; /* 1-based: the line where it begins */
    bool is_torn;  /* the file ends inside it */
    enum container container;
};

enum documents_result {
    DOCUMENTS_READ,        /* the document is filled, until the next call */
    DOCUMENTS_ARRAY_BEGIN, /* the elements that follow may be in reverse order, until DOCUMENTS_ARRAY_END */
    DOCUMENTS_ARRAY_END,
    DOCUMENTS_TOO_LONG,   /* only the document's line is known; continue reading */
    DOCUMENTS_BROKEN,     /* a container breaks off at this line; `error` is filled; continue reading */
    DOCUMENTS_UNREADABLE, /* the rest cannot be read; `error` is filled */
    DOCUMENTS_END,
};

struct documents;

/* Reads from the descriptor, which it closes, even if it fails. Returns NULL if memory runs out. */
struct documents *documents_open(int descriptor);

enum documents_result documents_next(
    struct documents *documents, struct document_text *document, struct error *error);

static inline void document_memory_swap(char **bytes, size_t *capacity, char **other, size_t *other_capacity)
{
    char *own_bytes = *bytes;
    size_t own_capacity = *capacity;
    *bytes = *other;
    *capacity = *other_capacity;
    *other = own_bytes;
    *other_capacity = own_capacity;
}

/*
 * Keeps the last document beyond the next call: gives its memory to the caller, and takes other memory (NULL:
 * none) for the next one.
 */
void documents_swap(struct documents *documents, char **bytes, size_t *capacity);

/* Whether a container was begun up to now. It may hold no document. */
bool documents_have_container(const struct documents *documents);

/* Accepts NULL. */
void documents_close(struct documents *documents);

#endif

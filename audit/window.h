/*
 * window.h: the next documents of a log, in order of time. Private to this component.
 *
 * The API server writes requests that end at nearly the same time in any order. The order must not depend on
 * how a log is split into files, so a few documents are held back and sorted. Problems of a document are
 * reported after the documents before it.
 */
#ifndef APPLYGUARD_AUDIT_WINDOW_H
#define APPLYGUARD_AUDIT_WINDOW_H

#include "audit/documents.h"

/* Where the documents come from: `next` as documents_next, and `swap` as documents_swap. */
struct window_source {
    void *context;
    enum documents_result (*next)(void *context, struct document_text *document, struct error *error);
    void (*swap)(void *context, char **bytes, size_t *capacity);
};

struct window;

/* Returns NULL if memory runs out. The source must outlive it. */
struct window *window_open(struct window_source source);

/* Accepts NULL. */
void window_close(struct window *window);

/* Like documents_next. */
enum documents_result window_next(struct window *window, struct document_text *document, struct error *error);

#endif

/*
 * window.h: the next documents of a log, in order of time. Private to audit/.
 *
 * The API server writes requests that end at nearly the same time in any order. The order of a log must not
 * depend on how it is split into files, so a few documents are held back and put in order. What is wrong with
 * a document is reported behind those before it.
 */
#ifndef APPLYGUARD_AUDIT_WINDOW_H
#define APPLYGUARD_AUDIT_WINDOW_H

#include "audit/documents.h"

struct window;

/* NULL: there is no memory. The documents must outlive it. */
struct window *window_open(struct documents *documents);

/* Accepts NULL. */
void window_close(struct window *window);

/* The same as documents_next. */
enum documents_result window_next(struct window *window, struct document_text *document, struct error *error);

#endif

/*
 * spool.h: documents that wait in a temporary file until their order is known. Private to this component.
 *
 * `gcloud logging read` prints the newest entry first. Such a log is written to an unnamed file, and read
 * backwards, so memory does not grow with it.
 */
#ifndef APPLYGUARD_AUDIT_SPOOL_H
#define APPLYGUARD_AUDIT_SPOOL_H

#include "audit/documents.h"
#include "base/error.h"

#include <stdbool.h>

struct spool;

/* Creates the file in the directory for temporary files. Returns NULL and sets the error. */
struct spool *spool_create(struct error *error);

/* Accepts NULL. */
void spool_free(struct spool *spool);

/* Adds a document. Returns false if the file is full; `error` is filled. */
bool spool_add(struct spool *spool, const struct document_text *document, struct error *error);

/*
 * From now on the documents are read, from the last one or from the first one on. Returns false and sets the
 * error.
 */
bool spool_end(struct spool *spool, bool is_reversed, struct error *error);

/*
 * The next document, which is valid until the next call. Returns DOCUMENTS_READ, DOCUMENTS_END, or
 * DOCUMENTS_UNREADABLE and sets the error.
 */
enum documents_result spool_next(struct spool *spool, struct document_text *document, struct error *error);

/* As documents_swap. */
void spool_swap(struct spool *spool, char **bytes, size_t *capacity);

#endif

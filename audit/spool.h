/*
 * spool.h: documents that wait in a temporary file until their order is known. Private to audit/.
 *
 * `gcloud logging read` prints the newest entry first. Such a log is written to a file without a name, and
 * read from its end, so memory does not grow with it.
 */
#ifndef APPLYGUARD_AUDIT_SPOOL_H
#define APPLYGUARD_AUDIT_SPOOL_H

#include "audit/documents.h"
#include "base/error.h"

#include <stdbool.h>

struct spool;

/* In the directory for temporary files. NULL with an error. */
struct spool *spool_create(struct error *error);

/* Accepts NULL. */
void spool_free(struct spool *spool);

/* Adds a document. False: there is no room; `error` is filled. */
bool spool_add(struct spool *spool, const struct document_text *document, struct error *error);

/* From here on the documents are read, from the last one on or from the first. False as above. */
bool spool_end(struct spool *spool, bool is_reversed, struct error *error);

/*
 * The next document, which lives until the next call. DOCUMENTS_READ, DOCUMENTS_END, or DOCUMENTS_UNREADABLE
 * with an error.
 */
enum documents_result spool_next(struct spool *spool, struct document_text *document, struct error *error);

#endif

/*
 * comments.h: reads the comments of a YAML document that are meant for applyguard, or in which Helm names the
 * source.
 */
#ifndef APPLYGUARD_MANIFEST_COMMENTS_H
#define APPLYGUARD_MANIFEST_COMMENTS_H

#include "manifest/document.h"

/*
 * The scalars of a document that contain a #, which does not begin a comment there, in the order of the text.
 */
struct scalar_spans {
    struct scalar_span {
        size_t start;
        size_t end;
    } * items;
    size_t count;
    size_t capacity;
};

/* Whether the text may contain waivers: if not, the scalars need not be collected. */
bool comments_has_waivers(struct slice text);

/* Adds a scalar if it contains a #; `is_block` for the styles | and >. Returns false if memory runs out. */
bool comments_add_scalar(
    struct scalar_spans *spans, struct slice text, size_t start, size_t end, bool is_block,
    struct arena *arena);

/* Fills the document's waivers. Returns false if memory runs out. */
bool comments_find_waivers(
    struct manifest_document *document, const struct scalar_spans *spans, struct arena *arena);

/* The comment "# Source: PATH" before the document's first line of content. */
void comments_find_source(const struct manifest_document *document, struct manifest_origin *origin);

#endif

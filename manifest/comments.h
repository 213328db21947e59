/*
 * comments.h: what comments of a YAML document say to applyguard, and where Helm says it comes from.
 */
#ifndef APPLYGUARD_MANIFEST_COMMENTS_H
#define APPLYGUARD_MANIFEST_COMMENTS_H

#include "manifest/document.h"

/* The scalars of a document that hold a #, which begins no comment there, in the order of the text. */
struct scalar_spans {
    struct scalar_span {
        size_t start;
        size_t end;
    } * items;
    size_t count;
    size_t capacity;
};

/* Whether there is anything to find: otherwise nobody needs to gather the scalars. */
bool comments_has_waivers(struct slice text);

/* Adds a scalar, in the style of | or > if it is a block, if it holds a #. False if there is no memory. */
bool comments_add_scalar(
    struct scalar_spans *spans, struct slice text, size_t start, size_t end, bool is_block,
    struct arena *arena);

/* Fills the document's waivers. False if there is no memory. */
bool comments_find_waivers(
    struct manifest_document *document, const struct scalar_spans *spans, struct arena *arena);

/* The comment "# Source: PATH" before the document's first line that is no comment. */
void comments_find_source(const struct manifest_document *document, struct manifest_origin *origin);

#endif

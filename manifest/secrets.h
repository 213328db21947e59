/*
 * secrets.h: what of a Secret is never shown, and which lines of a document may hold some of it.
 */
#ifndef APPLYGUARD_MANIFEST_SECRETS_H
#define APPLYGUARD_MANIFEST_SECRETS_H

#include "manifest/document.h"

/*
 * Of any group: other APIs have Secrets, too. An object whose kind is unknown (empty) may be one that lost
 * it.
 */
bool secrets_may_be(struct slice kind);

/*
 * Whether a member of a Secret (`parent` empty) or of its metadata is never shown: of a map the values, else
 * all of it. Annotations may hold a copy of the data. What is unknown may be data with a typing error in its
 * name.
 */
bool secrets_hide_member(struct slice parent, struct slice name);

/* Finds the lines of the document that are not shown. False if there is no memory. */
bool secrets_find_lines(struct manifest_document *document, struct arena *arena);

/* Whether a line may be shown: nothing of a Secret stands there, nor of what nobody knows. */
bool secrets_show_line(const struct manifest_document *document, unsigned line);

#endif

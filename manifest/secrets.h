/* secrets.h: which parts of a Secret are never shown, and which lines of a document may contain them. */
#ifndef APPLYGUARD_MANIFEST_SECRETS_H
#define APPLYGUARD_MANIFEST_SECRETS_H

#include "manifest/document.h"

/* In any group: other APIs have Secrets, too. An object without a kind may be a Secret that lost it. */
bool secrets_may_be(struct slice kind);

/*
 * Whether a member of a Secret (`parent` empty) or of its metadata is never shown: for a map its values,
 * otherwise the whole member. Annotations may contain a copy of the data. Unknown members may be data with a
 * misspelt name.
 */
bool secrets_hide_member(struct slice parent, struct slice name);

/* Finds the lines of the document that must not be shown. Returns false if memory runs out. */
bool secrets_find_lines(struct manifest_document *document, struct arena *arena);

/* Whether a line may be shown: it contains no part of a Secret, and nothing of unknown kind. */
bool secrets_show_line(const struct manifest_document *document, unsigned line);

#endif

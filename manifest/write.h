/*
 * write.h: JSON as Go's encoding/json writes it, byte for byte.
 */
#ifndef APPLYGUARD_MANIFEST_WRITE_H
#define APPLYGUARD_MANIFEST_WRITE_H

#include "base/text.h"
#include "manifest/node.h"

/*
 * Appends the value: compact, keys in order, <, >, &, U+2028 and U+2029 escaped. Of an object these are the
 * bytes that kubectl's encoder writes, without the line break at its end (UnstructuredJSONScheme): kubectl
 * sends them for a server-side apply, and for a client-side apply they are the value of last-applied.
 */
void manifest_append_json(struct text *text, const struct manifest_node *node);

/* Appends "KEY":VALUE, likewise. */
void manifest_append_member(struct text *text, const struct manifest_member *member);

/* Appends a text with its quotes, likewise. Bytes that are not UTF-8 become U+FFFD. */
void manifest_append_string(struct text *text, struct slice string);

/* The same as a text of its own. NULL bytes if there is no memory. */
struct slice manifest_json(const struct manifest_node *node, struct arena *arena);

#endif

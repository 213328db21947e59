/*
 * write.h: JSON as Go's encoding/json writes it, byte for byte.
 */
#ifndef APPLYGUARD_MANIFEST_WRITE_H
#define APPLYGUARD_MANIFEST_WRITE_H

#include "base/text.h"
#include "manifest/node.h"

/*
 * Appends the value: compact, with sorted keys, and with <, >, &, U+2028 and U+2029 escaped. For an object
 * these are the bytes that kubectl's encoder writes, without the line break at its end
 * (UnstructuredJSONScheme): kubectl sends them for a server-side apply, and for a client-side apply they are
 * the value of last-applied.
 */
void manifest_append_json(struct text *text, const struct manifest_node *node);

/* Appends a string with its quotes in the same form. Bytes that are not UTF-8 become U+FFFD. */
void manifest_append_string(struct text *text, struct slice string);

/* Returns the value as text. NULL bytes if memory runs out. */
struct slice manifest_json(const struct manifest_node *node, struct arena *arena);

#endif

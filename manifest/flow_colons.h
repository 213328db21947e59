/*
 * flow_colons.h: plain text that ends in a colon inside brackets, such as [10.0.0.1, fd00::].
 *
 * Go's YAML reads it as text. libyaml 0.2.5 refuses it, so each such colon is replaced by a character that
 * the document does not contain before libyaml reads the document, and restored in the scalars afterwards.
 * The number of characters does not change, so the places of libyaml's events are right in both texts.
 */
#ifndef APPLYGUARD_MANIFEST_FLOW_COLONS_H
#define APPLYGUARD_MANIFEST_FLOW_COLONS_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>

/* The bytes of the replacement character in UTF-8. */
#define FLOW_COLON_BYTES 3

struct flow_colons {
    struct slice text; /* with replacements */
    char stand_in[FLOW_COLON_BYTES];
};

/* Returns false if the text has no such colon, contains every possible replacement, or memory runs out. */
bool flow_colons_replace(struct slice text, struct arena *arena, struct flow_colons *colons);

/* Restores the colons of a scalar in place. Returns the new length. */
size_t flow_colons_restore(const struct flow_colons *colons, char *text, size_t length);

#endif

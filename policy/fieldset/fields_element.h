/*
 * fields_element.h: decodes one element of FieldsV1, and names the results of a walk over many.
 *
 * A key is "f:<name>", "k:<json object>" for a list item by its key fields, "v:<json>" for an item of a set,
 * or "i:<index>" (structured-merge-diff, fieldpath/serialize-pe.go). "." says that the node itself is a
 * member.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDS_ELEMENT_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDS_ELEMENT_H

#include "base/arena.h"
#include "policy/fieldset/path.h"

#include <stdbool.h>
#include <yyjson.h>

enum fields_result {
    FIELDS_OK,
    FIELDS_STOPPED,   /* by the visitor */
    FIELDS_MALFORMED, /* a key is not a path element; it was passed over */
    FIELDS_TOO_DEEP,  /* what is below JSON_DEPTH_MAX levels was passed over */
    FIELDS_TOO_MANY,  /* more sets than can be walked at the same time */
    FIELDS_OUT_OF_MEMORY,
};

/* "." */
bool fields_is_membership(struct slice key);

/* Whether nothing is owned below the node: {} or {".":{}}, or elements of kinds that are not known. */
bool fields_is_leaf(yyjson_val *node);

/*
 * Decodes one key of FieldsV1 into `element`, and leaves its parent and depth alone. False if the key is
 * malformed (`*known` is true) or of an unknown kind (`*known` is false), which the caller must skip. The
 * element's text and the strings of its JSON may point into the key.
 */
bool fields_decode_element(struct slice key, struct arena *arena, struct path *element, bool *known);

/* "a path element is malformed", ...: for sentences about parts that were not judged. */
const char *fields_result_text(enum fields_result result);

/* Whether a part of the set could not be read, for another reason than the visitor or memory. */
bool fields_unread(enum fields_result result);

#endif

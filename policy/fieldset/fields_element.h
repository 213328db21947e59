/*
 * fields_element.h: one element of FieldsV1: its spelling, and what a walk over many comes to.
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
    FIELDS_MALFORMED, /* a key that is no path element: how far the walk came is all there is */
    FIELDS_TOO_DEEP,  /* below JSON_DEPTH_MAX levels */
    FIELDS_TOO_MANY,  /* more sets than can be walked beside each other */
    FIELDS_OUT_OF_MEMORY,
};

/* "." */
bool fields_is_membership(struct slice key);

/* Whether nothing is owned below the node: {} or {".":{}}. */
bool fields_is_leaf(yyjson_val *node);

/*
 * Decodes one key of FieldsV1 into `element`, whose parent and depth are left alone. False if it is malformed
 * or of a kind that is not known, with `*known` telling which: unknown kinds must be skipped. The element's
 * text and the strings of its JSON may lie in the key.
 */
bool fields_decode_element(struct slice key, struct arena *arena, struct path *element, bool *known);

/* "a path element is malformed", ...: for sentences about parts that were not judged. */
const char *fields_result_text(enum fields_result result);

#endif

/* element.h: the identity of a part of a list or map, in the form of field_set.h. */
#ifndef APPLYGUARD_APPLY_MERGE_ELEMENT_H
#define APPLYGUARD_APPLY_MERGE_ELEMENT_H

#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>

/* The element of a member of a map: f:<name>. */
struct slice element_of_member(struct slice name, struct arena *arena);

/*
 * The element of the item at a position of a list: its keys, or its value; in an atomic list, its position.
 * Returns NULL, or a sentence without a full stop that says why the item has no element.
 */
const char *element_of_item(
    struct schema_ref list, const struct value *items, size_t position, struct arena *arena,
    struct slice *element);

/* The normal form of a key of FieldsV1; as fields_decode_element if the key is malformed or unknown. */
bool element_normalize(struct slice key, struct arena *arena, struct slice *element, bool *is_known);

#endif

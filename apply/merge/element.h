/*
 * element.h: what a part of a list or map is known by, in the form of field_set.h.
 */
#ifndef APPLYGUARD_APPLY_MERGE_ELEMENT_H
#define APPLYGUARD_APPLY_MERGE_ELEMENT_H

#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>

/* Of a member of a map: f:<name>. */
struct slice element_of_member(struct slice name, struct arena *arena);

/*
 * Of the item at a position of a list: its keys, or itself; of an atomic list, the position. Returns NULL, or
 * a sentence without a full stop that says why the item has none.
 */
const char *element_of_item(
    struct schema_ref list, const struct value *items, size_t position, struct arena *arena,
    struct slice *element);

/* The one form of a key of FieldsV1; as fields_decode_element if it is malformed or unknown. */
bool element_normalize(struct slice key, struct arena *arena, struct slice *element, bool *is_known);

#endif

/*
 * fieldset_index.h: for each child of a FieldsV1 node, finds the same child in another set's node.
 *
 * If the children are requested in the node's own order, as they are when an API server wrote both sets, a
 * cursor finds them, or finds that the node has none of that name. Otherwise few children are searched one by
 * one, and for many an index is built.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDSET_INDEX_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDSET_INDEX_H

#include "policy/fieldset/fields_element.h"

#include <stdint.h>

/* A key to find. Its canonical form is made when an index first needs it. */
struct fields_key {
    struct slice text;
    struct slice canonical; /* bytes NULL: not yet made */
};

struct fieldset_index {
    yyjson_val *node; /* NULL: no node; nothing is found, and the rest is not set */
    yyjson_obj_iter cursor;
    yyjson_val *next_key;
    yyjson_val *passed_key; /* of the last child that the cursor has gone by */
    size_t passed;          /* how many there were */
    bool has_skipped;       /* not all of them were found */
    enum fields_order { FIELDS_ORDER_UNKNOWN, FIELDS_ASCENDING, FIELDS_IN_ANY_ORDER } order;
    uint32_t taken; /* for few children: a bit for each that was found out of order */
    struct fields_index {
        struct indexed_child *children; /* in order of their canonical form; NULL: not yet made */
        size_t count;
    } index;
};

void fieldset_index_start(struct fieldset_index *finder, yyjson_val *node);

/*
 * Sets `*found` to the child, or to NULL if there is none. A child that is found twice is FIELDS_MALFORMED.
 */
enum fields_result fieldset_index_find(
    struct fieldset_index *finder, struct fields_key *key, struct arena *arena, yyjson_val **found);

#endif

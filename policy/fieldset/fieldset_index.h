/*
 * fieldset_index.h: finds the children of a node of FieldsV1 for those of another set's node at the same
 * path.
 *
 * As long as they are asked for in the node's own order, which is so where an API server wrote both sets, a
 * cursor does, also for names that the node has not. Beyond that few children are searched as they are, and
 * for many an index is made.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDSET_INDEX_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDSET_INDEX_H

#include "policy/fieldset/fields_element.h"

#include <stdint.h>

/* A key that is looked for; its canonical form is made when the first finder needs it. */
struct fields_key {
    struct slice text;
    struct slice canonical; /* bytes NULL: not yet made */
};

struct fieldset_index {
    yyjson_val *node; /* NULL: there is none, nothing is found, and the rest is not set */
    yyjson_obj_iter cursor;
    yyjson_val *next_key;
    yyjson_val *passed_key; /* of the last child that the cursor has gone by */
    size_t passed;          /* how many there were */
    bool has_skipped;       /* not all of them were found */
    enum fields_order { FIELDS_ORDER_UNKNOWN, FIELDS_ASCENDING, FIELDS_IN_ANY_ORDER } order;
    uint32_t taken; /* of few children, those that were found out of order: a bit for each */
    struct fields_index {
        struct indexed_child *children; /* in order of their canonical form; NULL: not yet made */
        size_t count;
    } index;
};

void fieldset_index_start(struct fieldset_index *finder, yyjson_val *node);

/* `*found` is NULL where there is no such child. A child that is found twice is malformed. */
enum fields_result fieldset_index_find(
    struct fieldset_index *finder, struct fields_key *key, struct arena *arena, yyjson_val **found);

#endif

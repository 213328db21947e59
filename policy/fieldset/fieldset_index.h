/*
 * fieldset_index.h: for each child of a FieldsV1 node, finds the same child in another set's node.
 *
 * If the children are requested in the node's own order, as they are when an API server wrote both sets, a
 * cursor finds them, or finds that the node has none of that name. Otherwise few children are searched one by
 * one, and for many an index is built, which the lookup keeps: however many small sets are compared with one
 * large set, that is indexed once.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDSET_INDEX_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDSET_INDEX_H

#include "policy/fieldset/fields_element.h"
#include "policy/fieldset/lookup.h"

#include <stdint.h>

/* A key to find. Its canonical form is made when an index first needs it. */
struct fields_key {
    struct slice text;
    struct slice canonical; /* bytes NULL: not yet made */
};

struct fieldset_index {
    yyjson_val *node; /* NULL: no node; nothing is found, and the rest is not set */
    struct lookup *lookup;
    size_t asked; /* about how many children will be asked for */
    yyjson_obj_iter cursor;
    yyjson_val *next_key;
    yyjson_val *passed_key; /* of the last child that the cursor has gone by */
    size_t passed;          /* how many there were */
    bool has_skipped;       /* not all of them were found */
    bool may_scan;          /* the cursor may go by all children: known once there are `children` */
    uint32_t taken;         /* for few children: a bit for each that was found out of order */
    uint32_t search;        /* the number of this search among those by the index; 0: it is not yet one */
    struct children_index *children; /* what is kept of the node; NULL: not yet asked for */
};

/* `asked`: about how many children of the node will be asked for. */
void fieldset_index_start(
    struct fieldset_index *finder, yyjson_val *node, struct lookup *lookup, size_t asked);

/*
 * Sets `*found` to the child, or to NULL if it does not exist. A child that is found twice is
 * FIELDS_MALFORMED.
 */
enum fields_result fieldset_index_find(
    struct fieldset_index *finder, struct fields_key *key, yyjson_val **found);

#endif

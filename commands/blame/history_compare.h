/*
 * history_compare.h: finds the fields that differ between the responses to two writes. Private to this
 * component.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_COMPARE_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_COMPARE_H

#include "commands/blame/history_write.h"
#include "owners/object.h"

struct history_comparison {
    struct blame *blame; /* its fields are compared, and get the changes */
    yyjson_val *before;  /* NULL: the object did not exist */
    yyjson_val *after;
    size_t bytes;                /* of both, as JSON */
    struct history_write *write; /* NULL: `after` is the object to blame */
    struct history_write *previous;
    bool has_gap;    /* the log lacks a write between them */
    bool has_owners; /* managedFields of `after` show the owners after this write */
    struct arena *arena;
};

/*
 * Returns false if memory runs out. Sets `*is_cut_short` if the object has too many list items to compare all
 * of them.
 */
bool history_compare(const struct history_comparison *comparison, bool *is_cut_short);

#endif

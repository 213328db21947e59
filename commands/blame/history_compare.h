/*
 * history_compare.h: which fields differ between the responses to two writes. Private to blame/.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_COMPARE_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_COMPARE_H

#include "commands/blame/history_write.h"
#include "owners/object.h"

struct history_comparison {
    struct blame *blame; /* whose fields are looked at, and get the changes */
    yyjson_val *before;  /* NULL: there was no object */
    yyjson_val *after;
    size_t bytes;                /* of both, as JSON */
    struct history_write *write; /* NULL: `after` is the object at hand */
    struct history_write *previous;
    bool has_gap;    /* the log lacks a write between them */
    bool has_owners; /* whether managedFields of `after` tell of this write */
    struct arena *arena;
};

/* False: there is no memory. `*is_cut_short` if the object has too many list items to look for all of them.
 */
bool history_compare(const struct history_comparison *comparison, bool *is_cut_short);

#endif

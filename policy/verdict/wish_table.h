/*
 * wish_table.h: the annotations of other tools that are wishes about conflicts, and how they are read.
 *
 * What a wish comes to is wishes.h; here is only which annotation says what.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_WISH_TABLE_H
#define APPLYGUARD_POLICY_VERDICT_WISH_TABLE_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/config/config.h"
#include "policy/managers.h"

#include <stdbool.h>
#include <stddef.h>

/* What the tool wishes. */
enum wish_meaning {
    WISH_TO_TAKE,  /* that it takes fields from others */
    WISH_TO_GIVE,  /* that others take fields from it */
    WISH_TO_SHARE, /* that others apply fields beside its own */
};

/* How the annotation's value is read. */
enum wish_value {
    VALUE_TRUE,       /* as strconv.ParseBool */
    VALUE_WORD,       /* the word, in capitals or not */
    VALUE_OPTION,     /* the word is an item of a list with commas */
    VALUE_FIELD,      /* a JSON path: the wish is for these fields */
    VALUE_EXPRESSION, /* a regular expression: the wish is for what managers of such names own */
};

struct wish {
    enum waiver_tool tool;
    struct slice annotation;
    bool numbered; /* the key may end in - and digits, so that there can be several */
    enum wish_value value;
    struct slice word;
    enum wish_meaning meaning;
    enum manager_operation operation; /* by which the tool takes */
    bool by_anybody;                  /* the tool obeys it whoever has set it */
};

extern const struct wish wishes[];
extern const size_t wish_count;

/* Whether an annotation is this wish. */
bool wish_is(const struct wish *wish, struct slice key, struct slice value);

/* Whether its path or expression is of a kind that is judged. */
bool wish_is_understood(const struct wish *wish, struct slice value, struct arena *arena);

/* "Kluctl": as people know the tool. */
const char *wish_tool_name(enum waiver_tool tool);

/* Whether the manager is one by which the tool applies. */
bool wish_tool_is(enum waiver_tool tool, const struct manager *manager);

#endif

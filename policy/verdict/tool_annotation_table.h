/*
 * tool_annotation_table.h: the annotations by which other tools allow conflicts, and how they are read.
 *
 * tool_annotations.h says when one counts.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_TOOL_ANNOTATION_TABLE_H
#define APPLYGUARD_POLICY_VERDICT_TOOL_ANNOTATION_TABLE_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/config/config.h"
#include "policy/managers.h"

#include <stdbool.h>
#include <stddef.h>

/* What the annotation allows. */
enum tool_annotation_meaning {
    LETS_TOOL_TAKE,   /* that it takes fields from others */
    LETS_OTHERS_TAKE, /* that others take fields from it */
    LETS_OTHERS_ADD,  /* that others apply fields beside its own */
};

/* How the annotation's value is read. */
enum tool_annotation_value {
    VALUE_TRUE,       /* as strconv.ParseBool */
    VALUE_WORD,       /* the word, in capitals or not */
    VALUE_OPTION,     /* the word is an item of a list with commas */
    VALUE_FIELD,      /* a JSON path: it allows these fields */
    VALUE_EXPRESSION, /* a regular expression: it allows what managers of such names own */
};

struct tool_annotation {
    enum waiver_tool tool;
    struct slice name;
    bool numbered; /* the key may end in - and digits, so that there can be several */
    enum tool_annotation_value value;
    struct slice word;
    enum tool_annotation_meaning meaning;
    enum manager_operation operation; /* by which the tool takes */
    bool by_anybody;                  /* the tool obeys it whoever has set it */
};

extern const struct tool_annotation tool_annotations[];
extern const size_t tool_annotation_count;

/* Whether an annotation of the object is this one. */
bool tool_annotation_is(const struct tool_annotation *annotation, struct slice key, struct slice value);

/* Whether its path or expression is of a kind that is judged. */
bool tool_annotation_is_understood(
    const struct tool_annotation *annotation, struct slice value, struct arena *arena);

/* "Kluctl": as people know the tool. */
const char *annotating_tool_name(enum waiver_tool tool);

/* Whether the manager is one by which the tool applies. */
bool annotating_tool_is(enum waiver_tool tool, const struct manager *manager);

#endif

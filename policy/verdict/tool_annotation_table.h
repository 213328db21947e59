/*
 * tool_annotation_table.h: the table of annotations with which other tools allow conflicts, and how to read
 * them.
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

/* The action that the annotation allows. */
enum tool_annotation_meaning {
    LETS_TOOL_TAKE,   /* the tool takes fields from others */
    LETS_OTHERS_TAKE, /* others take fields from the tool */
    LETS_OTHERS_ADD,  /* others apply further fields */
};

/* How the annotation's value is read. */
enum tool_annotation_value {
    VALUE_TRUE,       /* as strconv.ParseBool */
    VALUE_WORD,       /* the word, ignoring case */
    VALUE_OPTION,     /* the word is an item of a comma-separated list */
    VALUE_FIELD,      /* a JSON path: it allows these fields */
    VALUE_EXPRESSION, /* a regular expression: it allows fields of managers with such names */
};

struct tool_annotation {
    enum waiver_tool tool;
    struct slice name;
    bool numbered; /* the key may end in - and digits, so an object can have several */
    enum tool_annotation_value value;
    struct slice word;
    enum tool_annotation_meaning meaning;
    enum manager_operation operation; /* with which the tool takes fields */
    bool by_anybody;                  /* the tool obeys it no matter who has set it */
};

extern const struct tool_annotation tool_annotations[];
extern const size_t tool_annotation_count;

/* Whether an annotation of the object is this one. */
bool tool_annotation_is(const struct tool_annotation *annotation, struct slice key, struct slice value);

/* Whether its path or expression is understood. */
bool tool_annotation_is_understood(
    const struct tool_annotation *annotation, struct slice value, struct arena *arena);

/* The tool's name for messages: "Kluctl". */
const char *annotating_tool_name(enum waiver_tool tool);

/* Whether the tool writes under this manager. */
bool annotating_tool_is(enum waiver_tool tool, const struct manager *manager);

/*
 * Whether what this manager owns may come from the tool's manifests. An Update under the name of a tool that
 * only applies is another writer's, such as kubectl annotate --field-manager=kustomize-controller.
 */
bool annotating_tool_declares(enum waiver_tool tool, const struct manager *manager);

#endif

/* lines.h: an object as lines of YAML, in the form of kubectl. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_BLAME_LINES_H
#define APPLYGUARD_COMMANDS_BLAME_LINES_H

#include "owners/object.h"

/* Replaces a value of a Secret. It is not base64, so the API server refuses a manifest with it. */
#define BLAME_HIDDEN "(hidden)"

struct yaml_line {
    const struct blame_node *field; /* the field of the line; NULL: none, or the one of the line before */
    struct slice text;              /* without its end; printable */
};

typedef void lines_visit(void *context, const struct yaml_line *line);

/*
 * Visits the lines of a tree. An item is on the line of its first field if `is_compact`, or if both have the
 * same owners; otherwise it has its own line. The text is valid during the call. Returns false if memory runs
 * out.
 */
bool lines_of(
    const struct blame_node *root, bool is_compact, struct arena *arena, lines_visit *visit, void *context);

#endif

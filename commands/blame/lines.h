/*
 * lines.h: an object as lines of YAML, in the form in which kubectl prints it. Private to blame/.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_LINES_H
#define APPLYGUARD_COMMANDS_BLAME_LINES_H

#include "owners/object.h"

/* What stands for a value of a Secret. It is no base64, so the API server refuses a manifest that has it. */
#define BLAME_HIDDEN "(hidden)"

struct yaml_line {
    const struct blame_node *field; /* whose line it is; NULL: of none, or that of the line before */
    struct slice text;              /* without its end; printable */
};

typedef void lines_visit(void *context, const struct yaml_line *line);

/*
 * Visits the lines of a tree. An item stands on the line of its first field if `is_compact`, or if both have
 * the same owners; otherwise on a line of its own. The text lives during the call only. False if there is no
 * memory.
 */
bool lines_of(
    const struct blame_node *root, bool is_compact, struct arena *arena, lines_visit *visit, void *context);

#endif

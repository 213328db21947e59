/* own_writers.h: the tools that messages of applyguard name, and the commands of each. */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_OWN_WRITERS_H
#define APPLYGUARD_COMMANDS_EXPLAIN_OWN_WRITERS_H

#include "base/slice.h"

struct own_writer {
    const char *name;             /* in messages */
    const char *event;            /* the words by which messages name its next run; NULL: as another tool */
    const char *source;           /* of its fields */
    const char *apply;            /* its next run, as a command */
    const char *force;            /* the same with force; NULL: it has no such flag, or always forces */
    const char *force_edit;       /* the condition of `force`; NULL: none */
    const char *suspend, *resume; /* NULL: it has no such command */
    const char *preview;          /* of its next run; NULL: as of any other apply of a manifest */
};

/* kubectl apply without --server-side. */
extern const struct own_writer own_writer_client_side;

/* The tool of that name; NULL: a person, a script or an unknown tool. */
const struct own_writer *own_writer_find(struct slice name);

/* The tool that will undo the change, as the message says; NULL: unknown. */
const struct own_writer *own_writer_that_undoes(struct slice message);

#endif

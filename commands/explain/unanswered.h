/*
 * unanswered.h: the API server refused a write because no applyguard answered.
 *
 *     Internal error occurred: failed calling webhook "enforce.applyguard.io": failed to call webhook: ...
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_UNANSWERED_H
#define APPLYGUARD_COMMANDS_EXPLAIN_UNANSWERED_H

#include "base/text.h"

#include <stdbool.h>

struct unanswered {
    struct slice webhook; /* "enforce.applyguard.io" */
    const char *cause;    /* NULL: not known */
};

/* Returns false if the text says nothing of this kind, or only of webhooks of others. */
bool unanswered_read(struct slice text, struct unanswered *unanswered);

/* For a person, or one line of JSON with the members of a message of applyguard. */
void unanswered_append_text(struct text *text, const struct unanswered *unanswered);
void unanswered_append_json(struct text *text, const struct unanswered *unanswered);

#endif

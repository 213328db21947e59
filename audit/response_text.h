/* response_text.h: the text of an event's response in the log. Private to this component. */
#ifndef APPLYGUARD_AUDIT_RESPONSE_TEXT_H
#define APPLYGUARD_AUDIT_RESPONSE_TEXT_H

#include "audit/event.h"

/* A text of the log, and the copy of it that was parsed in place: strings lie at the same places in both. */
struct parsed_text {
    struct slice text;
    const char *copy;
};

/*
 * Returns a part of the text. It is empty if there is no response, or if the text differs from what the API
 * server writes: blanks, escaped names, another order of the members, or an event inside a string.
 */
struct slice response_text_find(const struct parsed_text *parsed, const struct audit_event *event);

#endif

/*
 * own.h: explains warnings and denials of applyguard itself, as clients print or log them.
 *
 *     Warning: applyguard: Deployment shop/web: kubectl edit changes ...; ... [ownership-conflict]
 *     admission webhook "enforce.applyguard.io" denied the request: Deployment shop/web: ... [rule]
 *
 * A denial has a line for each finding. Around it are words of kubectl, Helm, Flux or a log.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_OWN_H
#define APPLYGUARD_COMMANDS_EXPLAIN_OWN_H

#include "base/arena.h"
#include "base/text.h"
#include "owners/conflict.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>

/* The limit of messages in one text; further ones are left out. */
#define OWN_MESSAGES_MAX 100

struct own_message {
    enum rule_id rule;
    bool is_denial;
    struct slice message; /* without the rule */
};

struct own_messages {
    struct own_message items[OWN_MESSAGES_MAX];
    size_t count;
};

/*
 * Finds them, each once, however often it was printed. Takes time linear in the text. The messages point into
 * the text or the arena.
 */
void own_read(struct slice text, struct arena *arena, struct own_messages *messages);

/* Its object; a name that the message cuts is empty. */
struct conflict_object own_object(const struct own_message *message);

/* For a person, or one line of JSON: who does what, what happens next, and what to do, as commands. */
void own_append_text(struct text *text, const struct own_message *message);
void own_append_json(struct text *text, const struct own_message *message);

#endif

/*
 * own_statement.h: the parts of a message of applyguard.
 *
 *     Deployment shop/web: kubectl apply overwrites nginx's image, which Helm also sets; keep it in one
 * manifest
 *     |--- object ------|  |--- who ---|            |- fields --|        |hold|          |---- advice ----|
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_OWN_STATEMENT_H
#define APPLYGUARD_COMMANDS_EXPLAIN_OWN_STATEMENT_H

#include "base/arena.h"
#include "base/slice.h"
#include "owners/conflict.h"

#include <stdbool.h>

/* How the writer changes the fields. */
enum own_effect { EFFECT_UNKNOWN, EFFECT_CHANGES, EFFECT_OVERWRITES, EFFECT_REMOVES, EFFECT_KEEPS };

/* Why the holder counts. */
enum own_claim {
    CLAIM_NONE,
    CLAIM_SETS,     /* it sets the fields at each run */
    CLAIM_CONTROLS, /* it is a controller */
    CLAIM_WROTE,    /* it wrote them once, or may write them again */
    CLAIM_DECLARES, /* a former kubectl apply has them in its annotation */
    CLAIM_OWNS,     /* managedFields name it */
};

/* Each part may be empty. */
struct own_statement {
    struct conflict_object object;
    struct slice who;    /* "kubectl apply" */
    struct slice fields; /* "replicas and 1 more field" */
    struct slice holder; /* of the fields: "an autoscaler" */
    struct slice what;   /* the event */
    struct slice next;   /* the next event, if the message has it */
    struct slice advice;
    struct slice command;
    enum own_effect effect;
    enum own_claim claim;
};

/* `message` is without the rule. */
struct own_statement own_statement_read(struct slice message);

/* The next event: the message's, or the one that follows from the holder's claim. Empty: not known. */
struct slice own_statement_next(const struct own_statement *statement, bool is_denial, struct arena *arena);

/* Whether an autoscaler holds the fields. */
bool own_statement_is_autoscaled(const struct own_statement *statement);

#endif

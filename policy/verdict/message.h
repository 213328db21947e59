/*
 * message.h: builds the messages of findings.
 *
 * A message is one printable sentence for a developer who may never have heard of managedFields: who does
 * what to which field, what happens next, and what to do. It begins with the object, because kubectl prints
 * equal warnings of one command only once. Messages shorten names and paths; the finding's fields have them
 * in full.
 *
 * The functions below build the sentence of one finding: a statement, then "; " and the advice, as an order.
 * It has marks (message_fit.h), and is printed only after message_compose.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_H

#include "base/text.h"
#include "policy/managers.h"
#include "policy/review/review.h"
#include "policy/rules.h"
#include "policy/verdict/message_fit.h"
#include "policy/verdict/message_name.h"

/*
 * The limit of a warning: "applyguard: ", the message, and " [RULE]". A message fits into it, so that nothing
 * cuts it later (message_fit.h).
 */
#define MESSAGE_LINE_BYTES_MAX 256
#define MESSAGE_LINE_START "applyguard: "

/* The limit of a message of the rule, including the object. */
size_t message_room(enum rule_id rule);

/*
 * "Deployment default/web: ", the sentence, ": " and the command, within message_room. Where these do not
 * fit, shortens names, names only the command's first words, and then leaves out the advice. `bytes` is NULL
 * if memory runs out.
 */
struct slice message_compose(
    const struct review *review, enum rule_id rule, struct slice sentence, struct slice command);

/*
 * The same for a message that may have `extra` bytes more, because it names a file in full. The object in
 * `words` is ignored.
 */
struct slice message_compose_within(
    const struct review *review, enum rule_id rule, const struct message_parts *words, size_t extra);

/*
 * Parts of text_append_all: a manager as people know it: "kubectl edit", "kubectl apply", "kubectl apply
 * --server-side", "an autoscaler", "Helm"; "this request" if the name is empty.
 */
struct text_listed message_manager(const struct manager *manager);

/* The writer of the review: as above, and "kubectl rollout undo", which has no name of its own. */
struct text_listed message_writer(const struct review *review);

/* Several managers: "argocd", "argocd and Helm", "a, b and 3 more". */
struct text_listed message_managers(const struct manager *managers, size_t count, size_t total);

/* Fields: "replicas", "nginx's image and 2 more fields". See message_field.h. */
struct text_listed message_fields(const struct slice *fields, size_t total);

/* The same if there may be more than `total`: "nginx's image and at least 2 more fields". */
struct text_listed message_fields_at_least(const struct slice *fields, size_t total);

/* The word that fits the number: "owns" or "own", "it" or "them". */
static inline const char *message_for(size_t count, const char *one, const char *several)
{
    return count == 1 ? one : several;
}

/* How people end that several appliers set fields, as an order. An operator has no manifest. */
const char *message_keep_one(size_t fields, bool has_operator);

/*
 * Appends the object: "Deployment default/web", or as much as is known if it has no name yet: "Pod
 * default/web-…".
 */
void message_append_object(struct text *text, const struct review *review);

#endif

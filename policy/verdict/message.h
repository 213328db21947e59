/*
 * message.h: builds the messages of findings.
 *
 * A message is one printable sentence for a developer who may never have heard of managedFields: who does
 * what to which field, what happens next, and what to do. It begins with the object, because kubectl prints
 * equal warnings of one command only once. Messages shorten names and paths; the finding's fields have them
 * in full.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_H

#include "base/text.h"
#include "policy/managers.h"
#include "policy/review/review.h"
#include "policy/verdict/message_name.h"

/* The limit of a message, including the object. Longer ones are cut. */
#define MESSAGE_BYTES_MAX 256

/*
 * "Deployment default/web: ", the sentence, ": " and the command, within MESSAGE_BYTES_MAX. Part of a command
 * would be another one, so that it is left out where it does not fit, as where it is empty. `bytes` is NULL
 * if there is no memory.
 */
struct slice message_compose(const struct review *review, struct slice sentence, struct slice command);

/*
 * Appends a manager as people know it: "kubectl edit", "kubectl apply", "kubectl apply --server-side", "an
 * autoscaler", "helm"; "this request" if the name is empty.
 */
void message_append_manager(struct text *text, const struct manager *manager);

/* Appends several: "argocd", "argocd and helm", "a, b and 3 more". */
void message_append_managers(struct text *text, const struct manager *managers, size_t count, size_t total);

/* Appends fields: "replicas", "nginx's image and 2 more fields". See message_field.h. */
void message_append_fields(struct text *text, const struct slice *fields, size_t total);

/* The same if there may be more than `total`: "nginx's image and at least 2 more fields". */
void message_append_fields_at_least(struct text *text, const struct slice *fields, size_t total);

/* Appends the word that fits the number: "owns" or "own", "it" or "them". */
void message_append_for(struct text *text, size_t count, const char *one, const char *several);

/*
 * Appends the object: "Deployment default/web", or as much as is known if it has no name yet: "Pod
 * default/web-…".
 */
void message_append_object(struct text *text, const struct review *review);

#endif

/*
 * message.h: the words that messages of several rules share.
 *
 * A message is one printable sentence for a developer who may never have heard of managedFields: who does
 * what to which field, what follows, what to do. It begins with the object, because kubectl prints equal
 * warnings of one command once. Names and paths are shortened here; the finding's fields carry them whole.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_H

#include "base/text.h"
#include "policy/managers.h"
#include "policy/review/review.h"
#include "policy/verdict/message_name.h"

/* How long a message may be, with the object in front: what is beyond is cut. */
#define MESSAGE_BYTES_MAX 256

/*
 * "Deployment default/web: " and the sentence, within MESSAGE_BYTES_MAX. `bytes` is NULL if there is no
 * memory.
 */
struct slice message_compose(const struct review *review, struct slice sentence);

/*
 * Who it is, as people know it: "kubectl edit", "kubectl apply", "kubectl apply --server-side", "an
 * autoscaler", "helm"; "this request" where the name is empty.
 */
void message_append_manager(struct text *text, const struct manager *manager);

/* "argocd", "argocd and helm", "a, b and 3 more". */
void message_append_managers(struct text *text, const struct manager *managers, size_t count, size_t total);

/* "replicas", "nginx's image and 2 more fields": see message_field.h. */
void message_append_fields(struct text *text, const struct slice *fields, size_t total);

/* The same where `total` are not all: "nginx's image and at least 2 more fields". */
void message_append_fields_at_least(struct text *text, const struct slice *fields, size_t total);

/* Appends the word that fits the number: "owns" or "own", "it" or "them". */
void message_append_for(struct text *text, size_t count, const char *one, const char *several);

/* "Deployment default/web"; what is known of it where the object has no name yet: "Pod default/web-…". */
void message_append_object(struct text *text, const struct review *review);

#endif

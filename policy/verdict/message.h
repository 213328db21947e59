/*
 * message.h: the words that messages of several rules share.
 *
 * A message is one printable sentence for the person at the terminal, at best within 120 bytes; so names and
 * paths are shortened here, while the finding's fields carry them whole.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_H

#include "base/text.h"
#include "policy/managers.h"
#include "policy/review/review.h"

/* How much of a foreign name a message shows. */
#define MESSAGE_NAME_BYTES 48

/* How much of a path a message shows. */
#define MESSAGE_PATH_BYTES 48

/* "web", "kube-system-…": printable and cut. */
void message_append_name(struct text *text, struct slice name);

/* "kubectl (Apply)", "kube-controller-manager (scale)", "helm"; "this request" where the name is empty. */
void message_append_manager(struct text *text, const struct manager *manager);

/* "argocd (Apply)", "argocd (Apply) and helm", "a, b and 3 more". */
void message_append_managers(struct text *text, const struct manager *managers, size_t count, size_t total);

/* ".spec…image", ".spec…image and 2 more fields". */
void message_append_fields(struct text *text, const struct slice *fields, size_t total);

/* The same where `total` are not all: ".spec…image and at least 2 more fields". */
void message_append_fields_at_least(struct text *text, const struct slice *fields, size_t total);

/* "Deployment default/web"; the kind alone where the object has no name yet. */
void message_append_object(struct text *text, const struct review *review);

#endif

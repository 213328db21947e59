/*
 * message_name.h: names of managers and objects, short enough to print.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_NAME_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_NAME_H

#include "base/slice.h"
#include "base/text.h"
#include "policy/managers.h"

/* Replaces what is left out. */
#define MESSAGE_ELLIPSIS SLICE("…")

/* The limit, in printed bytes, of an untrusted name. */
#define MESSAGE_NAME_BYTES 48

/* The limit of a path, enough for .metadata.annotations.kubectl.kubernetes.io/restartedAt. */
#define MESSAGE_PATH_BYTES 56

/* Appends a name, printable and without the middle part if it is long: "web", "kube-system-…-controller". */
void message_append_name(struct text *text, struct slice name);

/* The same as a part of text_append_all. */
static inline struct text_escaped message_name(struct slice name)
{
    return as_escaped(message_append_name, name);
}

/* The same within `limit` bytes. It cuts the middle, because names mostly differ at one end. */
void message_append_cut(struct text *text, struct slice name, size_t limit);

/*
 * Appends a manager as people know it (manager_words), or by its name and subresource: "keda (scale)"; "this
 * request" if the name is empty.
 */
void manager_append(struct text *text, const struct manager *manager);

/* Appends several, each with `append`: "argocd", "argocd and Helm", "a, b and 3 more". */
void managers_append(
    struct text *text, const struct manager *managers, size_t count, size_t total,
    void (*append)(struct text *text, const struct manager *manager));

#endif

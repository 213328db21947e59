/*
 * message_name.h: shortens names for messages.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_NAME_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_NAME_H

#include "base/slice.h"
#include "base/text.h"

/* Replaces what is left out. */
#define MESSAGE_ELLIPSIS SLICE("…")

/* The limits, in printed bytes, of an untrusted name, and of an object's namespace and kind. */
#define MESSAGE_NAME_BYTES 48
#define MESSAGE_NAMESPACE_BYTES 36

/* The limit of a path, enough for .spec…annotations["kubectl.kubernetes.io/restartedAt"]. */
#define MESSAGE_PATH_BYTES 56

/* Appends a name, printable and without the middle part if it is long: "web", "kube-system-…-controller". */
void message_append_name(struct text *text, struct slice name);

/* The same within `limit` bytes. It cuts the middle, because names mostly differ at one end. */
void message_append_cut(struct text *text, struct slice name, size_t limit);

#endif

/*
 * message_name.h: names as messages show them.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_NAME_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_NAME_H

#include "base/slice.h"
#include "base/text.h"

/* Stands for what is left out. */
#define MESSAGE_ELLIPSIS SLICE("…")

/* How much of a foreign name a message shows, in bytes as printed; and of an object's namespace and kind. */
#define MESSAGE_NAME_BYTES 48
#define MESSAGE_NAMESPACE_BYTES 36

/* How much of a path a message shows: enough for .spec…annotations["kubectl.kubernetes.io/restartedAt"]. */
#define MESSAGE_PATH_BYTES 56

/* "web", "kube-system-…-controller": printable, and its middle left out where it is long. */
void message_append_name(struct text *text, struct slice name);

/* The same within `limit` bytes. Names that differ mostly do so at one of their ends: the middle is left out.
 */
void message_append_cut(struct text *text, struct slice name, size_t limit);

#endif

/*
 * printable.h: makes untrusted text printable, without an arena.
 */
#ifndef APPLYGUARD_KUBE_PRINTABLE_H
#define APPLYGUARD_KUBE_PRINTABLE_H

#include "base/slice.h"

struct kube_printable {
    char text[160]; /* NUL-terminated, with an ellipsis at the end if it was cut */
};

/* Escaped like text_append_printable; "?" if memory runs out. */
struct kube_printable kube_printable(struct slice foreign);

#endif

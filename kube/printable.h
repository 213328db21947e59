/*
 * printable.h: makes untrusted text printable, without an arena.
 */
#ifndef APPLYGUARD_KUBE_PRINTABLE_H
#define APPLYGUARD_KUBE_PRINTABLE_H

#include "base/slice.h"

struct kube_printable {
    char text[160]; /* NUL-terminated, with an ellipsis if it was cut */
};

/* Escaped as text_append_printable does; "?" if there is no memory. */
struct kube_printable kube_printable(struct slice foreign);

#endif

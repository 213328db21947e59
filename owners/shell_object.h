/*
 * shell_object.h: an object as kubectl's arguments name it.
 */
#ifndef APPLYGUARD_OWNERS_SHELL_OBJECT_H
#define APPLYGUARD_OWNERS_SHELL_OBJECT_H

#include "base/text.h"
#include "owners/conflict.h"

/* deployment.apps web -n shop; KIND NAME where they are not known. */
void shell_append_object(struct text *text, const struct conflict_object *object);

#endif

/*
 * shell_object.h: an object as kubectl's arguments name it.
 */
#ifndef APPLYGUARD_OWNERS_SHELL_OBJECT_H
#define APPLYGUARD_OWNERS_SHELL_OBJECT_H

#include "base/text.h"
#include "owners/conflict.h"

/* Appends deployment.apps web -n shop; KIND NAME if these are unknown. */
void shell_append_object(struct text *text, const struct conflict_object *object);

#endif

/*
 * shell_object.h: an object as kubectl's arguments name it.
 */
#ifndef APPLYGUARD_OWNERS_SHELL_OBJECT_H
#define APPLYGUARD_OWNERS_SHELL_OBJECT_H

#include "base/text.h"
#include "owners/conflict.h"

/* Appends deployment.apps web -n shop; KIND NAME if these are unknown. */
void shell_append_object(struct text *text, const struct conflict_object *object);

/* The same with a slash: deployment.apps/web -n shop; KIND/NAME. */
void shell_append_object_in_one(struct text *text, const struct conflict_object *object);

#endif

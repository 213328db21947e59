/*
 * leaves.h: the fields that a manifest declares, each as the path that the API server prints.
 *
 * A field is a leaf: a scalar, an empty map or list, or a list or map that has one owner as a whole. Left out
 * are the fields that every declaration of the same object has: its identity, and the keys of list items.
 */
#ifndef APPLYGUARD_CHECK_LEAVES_H
#define APPLYGUARD_CHECK_LEAVES_H

#include "base/arena.h"
#include "base/slice.h"
#include "manifest/manifest.h"

/* In memory of the arena. False if there is none. */
bool leaves_of(const struct manifest_object *object, struct arena *arena, struct slice_list *leaves);

#endif
